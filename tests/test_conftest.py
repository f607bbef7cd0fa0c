"""The rules of the suite itself: skips, golden files, the browser."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Browser

SKIPS = {
    "in a test": """
        import pytest
        def test(): pytest.skip("no server")
    """,
    "by a mark": """
        import pytest
        @pytest.mark.skipif(True, reason="no server")
        def test(): pass
    """,
    "in a fixture": """
        import pytest
        @pytest.fixture
        def server(): pytest.skip("no server")
        def test(server): pass
    """,
    "of a module": """
        import pytest
        pytest.skip("no server", allow_module_level=True)
    """,
}


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A suite of its own, under the rules of this one."""
    monkeypatch.delenv("PBEM_REQUIRE_ALL", raising=False)
    pytester.makeconftest(Path(__file__).with_name("conftest.py").read_text())
    return pytester


@pytest.mark.parametrize("source", SKIPS.values(), ids=SKIPS)
def test_a_skip_is_shown_and_passes_where_not_all_is_required(suite: pytest.Pytester, source: str) -> None:
    suite.makepyfile(source)

    outcome = suite.runpytest_inprocess("-rs")

    outcome.assert_outcomes(skipped=1)
    outcome.stdout.fnmatch_lines(["*no server*"])


@pytest.mark.parametrize("source", SKIPS.values(), ids=SKIPS)
def test_a_skip_fails_where_all_is_required(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    monkeypatch.setenv("PBEM_REQUIRE_ALL", "1")
    suite.makepyfile(source)

    outcome = suite.runpytest_inprocess()

    assert outcome.ret != pytest.ExitCode.OK
    assert not outcome.parseoutcomes().get("skipped")
    outcome.stdout.fnmatch_lines(["*no server*", "*PBEM_REQUIRE_ALL*"])


def test_an_expected_failure_is_no_skip(suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_REQUIRE_ALL", "1")
    suite.makepyfile("""
        import pytest
        @pytest.mark.xfail(reason="not yet")
        def test(): assert False
    """)

    suite.runpytest_inprocess().assert_outcomes(xfailed=1)


def test_a_program_that_is_not_there_is_named_in_the_skip(suite: pytest.Pytester) -> None:
    suite.makepyfile("""
        from conftest import needs
        def test(): needs("no-such-browser")
    """)

    outcome = suite.runpytest_inprocess("-rs")

    outcome.assert_outcomes(skipped=1)
    outcome.stdout.fnmatch_lines(["*needs no-such-browser*"])


def test_a_golden_file_is_written_only_when_told(suite: pytest.Pytester) -> None:
    suite.makepyfile("""
        from pathlib import Path
        def test(golden): golden(Path("golden", "report.txt"), b"Turn 1")
    """)

    suite.runpytest_inprocess().assert_outcomes(failed=1)
    suite.runpytest_inprocess("--update-golden").assert_outcomes(passed=1)
    suite.runpytest_inprocess().assert_outcomes(passed=1)
    Path("golden", "report.txt").write_bytes(b"Turn 2")
    suite.runpytest_inprocess().assert_outcomes(failed=1)


def test_the_browser_shows_a_page(chromium: Browser) -> None:
    page = chromium.new_page()
    page.set_content("<title>Turn 1</title><p>The enemy is in sight.")

    assert page.title() == "Turn 1"
    page.close()


@pytest.mark.xdist_group("grouped")
@pytest.mark.skipif("PYTEST_XDIST_WORKER" not in os.environ, reason="needs several processes")
def test_tests_of_one_group_are_kept_in_one_process(request: pytest.FixtureRequest) -> None:
    assert request.node.nodeid.endswith("@grouped")
