"""The contract suite: what holds of every system, whoever wrote it.

    pytest --pyargs pbem.suite --system mine

plays the games of the system *mine*, reads whatever may be sent, and sees that the contract is kept (`test_system`).
It wants the extra `suite`.  What it must be told of a system stands in the package `suite` of that system's own
package, and its cases beside it (`secret`, `places`); that package is no part of the rules.

- `contract`: facts, orders, sheets, rules;
- `fog`: what a role must not know changes nothing that reaches it;
- `whole`: games to their end, pages, cases, sources;
- `play`: a game without an office, for tests of one's own: `Game`;
- `mutants`: each rule taken away in turn.
"""
