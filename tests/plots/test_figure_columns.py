"""Two columns of figures: nothing lost, the order kept, ends near each other."""

from plots.figure_columns import MAX_ARRANGED, columns, room
from plots.figures.style import Drawing


def drawing(name: str, height: float) -> Drawing:
    return Drawing(name, "", "", "", b"", "", height)


def test_columns_end_at_about_the_same_height():
    heights = [3.4, 2.9, 2.9, 2.9, 3.3, 1.5]
    found = columns([drawing(str(place), height) for place, height in enumerate(heights)])
    ends = [sum(room(figure) for _, figure in column) for column in found]
    assert abs(ends[0] - ends[1]) < 0.6  # the best of all 32 arrangements: 0.5
    for column in found:
        assert [place for place, _ in column] == sorted(place for place, _ in column)
    assert sorted(place for column in found for place, _ in column) == list(range(len(heights)))
    assert found[0][0][0] == 0


def test_equal_figures_go_from_left_to_right():
    found = columns([drawing(str(place), 2.0) for place in range(5)])
    assert [[place for place, _ in column] for column in found] == [[0, 2, 4], [1, 3]]


def test_one_is_alone_none_is_nothing_and_many_are_all_there():
    assert columns([]) == []
    assert len(columns([drawing("a", 1)])) == 1
    many = columns([drawing(str(place), 1 + place % 3) for place in range(MAX_ARRANGED + 7)])
    assert sum(map(len, many)) == MAX_ARRANGED + 7
