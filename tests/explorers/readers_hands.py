"""The three ways in which a reader operates a page: with a mouse, with a finger and with the keyboard alone."""

from typing import ClassVar

from explorer_page import PHONE, middle_of, touch_drag

MOST_TABS = 150
HOLDS = "(element, target) => element !== document.body && element.contains(target)"
SAME_MATRIX = "(element, target) => element.matches('.number') && element.closest('table') === target.closest('table')"


class Mouse:
    """Presses, and drags what can be dragged."""

    settings: ClassVar[dict] = {}

    def __init__(self, page):
        self.page = page

    def press(self, target) -> None:
        target.click()

    def number(self, target) -> None:
        target.click()

    def drag(self, target) -> None:
        """A slider or a tip, some way to the right."""
        target.scroll_into_view_if_needed()
        x, y = middle_of(target)
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + 12, y, steps=3)
        self.page.mouse.up()

    def follow(self) -> None:
        self.page.locator(".operand").first.click()

    def back(self) -> None:
        self.page.locator(".back").click()


class Touch(Mouse):
    """Taps, and drags with one finger, on a screen 390 pixels wide."""

    settings = PHONE

    def press(self, target) -> None:
        target.tap()

    def number(self, target) -> None:
        target.tap()

    def drag(self, target) -> None:
        target.scroll_into_view_if_needed()
        x, y = middle_of(target)
        touch_drag(self.page, (x, y), (x + 12, y))

    def follow(self) -> None:
        self.page.locator(".operand").first.tap()

    def back(self) -> None:
        self.page.locator(".back").tap()


class Keyboard(Mouse):
    """Tab to what is wanted, then Enter, the space bar or arrow keys; no element is given the focus from outside."""

    def press(self, target) -> None:
        self._tab_to(target, HOLDS)
        self.page.keyboard.press("Space")

    def number(self, target) -> None:
        """Tab stops at one number of each matrix; the arrow keys go to the others."""
        self._tab_to(target, SAME_MATRIX)
        place = "(element) => element.dataset.place.split(',').map(Number)"
        to = target.evaluate(place)
        for _ in range(60):
            at = self.page.evaluate_handle("() => document.activeElement").evaluate(place)
            if at == to:
                return
            (row, column), (i, j) = at, to
            self.page.keyboard.press(
                "ArrowDown" if row < i else "ArrowUp" if row > i else "ArrowRight" if column < j else "ArrowLeft"
            )
        raise AssertionError(f"The arrow keys stay at {at} and do not reach {to}")

    def drag(self, target) -> None:
        self._tab_to(target, HOLDS)
        self.page.keyboard.press("ArrowRight")

    def follow(self) -> None:
        self.page.keyboard.press("Enter")  # from the number into its arithmetic
        self.page.keyboard.press("Enter")

    def back(self) -> None:
        self.page.keyboard.press("Backspace")

    def _tab_to(self, target, arrived: str) -> None:
        for _ in range(MOST_TABS):
            if target.evaluate(f"(target) => ({arrived})(document.activeElement, target)"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError("The Tab key does not lead there")


HANDS = {"mouse": Mouse, "touch": Touch, "keyboard": Keyboard}
