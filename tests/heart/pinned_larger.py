"""How large the larger walks are: by scenario, fault, and how often that may happen."""

from __future__ import annotations

from typing import Final

LARGER_PINNED: Final[dict[tuple[str, str, int], tuple[int, int, int, int | None, int]]] = {
    ("TwoShellsEndWhileClosing", "none", 1): (89_362, 214_608, 38, 28_776_098_796_216, 24),
    ("AChildAndAShellEnd", "none", 1): (76_476, 179_853, 33, 1_297_838_191_464, 24),
    ("ClearedWhileAContinuationIsTaken", "none", 1): (275_206, 622_876, 37, 5_142_297_351_696, 60),
    ("TwoShellsEndWhileClosing", "RAISES_ONCE", 1): (178_617, 573_543, 38, 891_440_218_581_552, 48),
    ("AChildAndAShellEnd", "RAISES_ONCE", 1): (152_871, 483_484, 33, 35_719_478_672_304, 48),
    ("TwoShellsEndInATurn", "RAISES_ONCE", 2): (461, 1_164, 20, 2_999_160, 6),
    ("AShellEndsWhileClosing", "RAISES_ONCE", 2): (2_618, 8_230, 23, 994_588_944, 6),
    ("ATurnStartsAShell", "RAISES_ONCE", 2): (3_856, 11_978, 21, 50_934_768, 9),
    ("AContinuationStartsAShell", "RAISES_ONCE", 2): (4_192, 10_768, 26, 1_936_337_167, 36),
    ("AContinuationEnds", "RAISES_ONCE", 2): (2_059, 6_377, 16, 1_996_848, 6),
    ("SettledBeforeTheEndIsHeard", "RAISES_ONCE", 2): (2_696, 7_224, 26, 320_113_698, 18),
    ("AChildEndsBeforeItsStart", "RAISES_ONCE", 2): (1_297, 3_081, 15, 645_504, 18),
    ("ClearedWithAShellRunning", "RAISES_ONCE", 2): (4_340, 14_146, 21, 231_237_360, 6),
    ("ClearedWithANotificationQueued", "RAISES_ONCE", 2): (3_733, 11_843, 18, 10_150_224, 6),
    ("TwoCloseQuestions", "RAISES_ONCE", 2): (2_087, 6_447, 16, 2_042_376, 6),
    ("APermitGoesStale", "RAISES_ONCE", 2): (7_663, 25_423, 23, 21_245_854_182, 9),
    ("AStopNamesAShellAndAChild", "RAISES_ONCE", 2): (4_450, 15_134, 20, 88_237_968, 9),
    ("AReportedShellVanishes", "RAISES_ONCE", 2): (3_619, 11_163, 18, 10_873_260, 6),
    ("TwoShellsEndInATurn", "LOSES", 2): (163, 278, 20, 25_860, 2),
    ("AShellEndsWhileClosing", "LOSES", 2): (879, 1_799, 23, 5_862_120, 2),
    ("ATurnStartsAShell", "LOSES", 2): (2_906, 5_868, 29, 683_136, 12),
    ("AContinuationStartsAShell", "LOSES", 2): (3_723, 6_529, 34, 14_852_800, 62),
    ("AContinuationEnds", "LOSES", 2): (691, 1_365, 16, 22_512, 2),
    ("SettledBeforeTheEndIsHeard", "LOSES", 2): (919, 1_730, 26, 1_609_827, 6),
    ("AChildEndsBeforeItsStart", "LOSES", 2): (448, 771, 15, 10_386, 6),
    ("ClearedWithAShellRunning", "LOSES", 2): (1_453, 3_056, 21, 1_549_680, 2),
    ("ClearedWithANotificationQueued", "LOSES", 2): (1_249, 2_519, 18, 92_400, 2),
    ("TwoCloseQuestions", "LOSES", 2): (701, 1_385, 16, 27_384, 2),
    ("APermitGoesStale", "LOSES", 2): (2_564, 5_679, 23, 114_006_858, 3),
    ("AStopNamesAShellAndAChild", "LOSES", 2): (1_488, 3_276, 20, 593_040, 3),
    ("AReportedShellVanishes", "LOSES", 2): (1_211, 2_341, 18, 91_710, 2),
    ("ClearedWhileAContinuationIsTaken", "RAISES_ONCE", 1): (
        550_347,
        1_701_002,
        37,
        158_746_431_230_976,
        120,
    ),
}
