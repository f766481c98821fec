"""tf.data: the published pipelines, its rewrites and autotuning on or off."""

import tensorflow as tf

INCLUDES = "a new iterator and one epoch of eager tensors, taken one after the other"
_REWRITES = (
    "map_parallelization",
    "map_and_batch_fusion",
    "inject_prefetch",
    "noop_elimination",
    "shuffle_and_repeat_fusion",
)


def _with_rewrites(dataset: tf.data.Dataset, rewrites: str) -> tf.data.Dataset:
    if rewrites == "on":
        return dataset
    options = tf.data.Options()
    for name in _REWRITES:
        setattr(options.experimental_optimization, name, False)
    options.autotune.enabled = False
    return dataset.with_options(options)


def published(pixels, labels, options: str, rewrites: str, noise: bool, batch: int):
    def work(x, label, row):
        x = tf.cast(x, tf.float32)[None] / 255.0
        for _ in range(4):
            x = tf.nn.avg_pool2d(x, 3, 1, "SAME")
        x = x[0]
        if noise:  # stateless: its parallel form is then allowed to the rewrites
            x += 0.01 * tf.random.stateless_normal(x.shape, seed=tf.stack([0, row]))
        return x, label

    calls = tf.data.AUTOTUNE if options in ("parallel", "prefetch", "cache") else None
    rows = tf.range(len(labels))
    dataset = tf.data.Dataset.from_tensor_slices((pixels, labels, rows)).map(work, num_parallel_calls=calls)
    if options == "cache":
        dataset = dataset.cache()
    dataset = dataset.batch(batch)
    if options in ("prefetch", "cache", "sequential prefetch"):
        dataset = dataset.prefetch(2 if options == "sequential prefetch" else tf.data.AUTOTUNE)
    dataset = _with_rewrites(dataset, rewrites)
    return lambda: iter(dataset)


def scalars(values, rewrites: str, batch: int):
    dataset = tf.data.Dataset.from_tensor_slices(values).map(tf.identity).batch(batch)
    dataset = _with_rewrites(dataset, rewrites)
    return lambda: iter(dataset)
