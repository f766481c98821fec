"""DataLoader: rows by index, one process, or one worker process a core."""

import torch
from torch.nn.functional import avg_pool2d
from torch.utils.data import DataLoader, Dataset

INCLUDES = "a new iterator of a DataLoader (with workers: their processes, kept over epochs) and one epoch of tensors"


class Rows(Dataset):
    def __init__(self, pixels, labels, noise: bool):
        self._pixels = torch.from_numpy(pixels).permute(0, 3, 1, 2)
        self._labels, self._noise = torch.from_numpy(labels), noise

    def __len__(self) -> int:
        return len(self._labels)

    def __getitem__(self, i: int):
        x = self._pixels[i].float() / 255.0
        for _ in range(4):
            x = avg_pool2d(x, 3, 1, 1, count_include_pad=False)
        if self._noise:
            x = x + 0.01 * torch.randn(x.shape, generator=torch.Generator().manual_seed(i))
        return x, self._labels[i]


class Numbers(Dataset):
    def __init__(self, values):
        self._values = torch.from_numpy(values)

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, i: int):
        return self._values[i]


def published(pixels, labels, options: str, noise: bool, batch: int, threads: int):
    torch.set_num_threads(1)  # as its workers do: operations this small only lose by more
    workers = threads if options == "parallel" else 0
    loader = DataLoader(Rows(pixels, labels, noise), batch, num_workers=workers, persistent_workers=workers > 0)
    return lambda: iter(loader)


def scalars(values, batch: int):
    loader = DataLoader(Numbers(values), batch)
    return lambda: iter(loader)
