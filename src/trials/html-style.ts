/** The style of the report's page: light and dark as the reader has it, and black on white on paper. */
export const STYLE = `
:root { color-scheme: light dark; --ground: #fdfdfb; --text: #1d2125; --soft: #5b646d; --line: #d9dcd8; --mark: #1f5fa8; --good: #1e7a46; --box: #f3f4f0; }
@media (prefers-color-scheme: dark) { :root { --ground: #15181b; --text: #e6e8e6; --soft: #a2abb3; --line: #353b40; --mark: #78b0f0; --good: #6fce98; --box: #1e2327; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2.5rem 0 .5rem; }
p { margin: .4rem 0; max-width: 46rem; }
.kind, .soft, figcaption, footer { color: var(--soft); }
.kind { margin: 0 0 .25rem; font-size: .9rem; }
.verdict { font-size: 1.1rem; border-left: 4px solid var(--mark); padding: .35rem 0 .35rem .9rem; margin: 1rem 0 0; }
.verdict.supported { border-color: var(--good); }
figure { margin: 1.25rem 0 0; overflow-x: auto; }
svg { display: block; width: 100%; height: auto; }
svg.above { display: none; }
@media (max-width: 40rem) { svg.beside { display: none; } svg.above { display: block; } }
svg text { fill: var(--text); font: 13px system-ui, sans-serif; }
svg .tick, svg .control text { fill: var(--soft); }
svg .grid { stroke: var(--line); stroke-width: 1; }
svg .span { stroke: var(--mark); stroke-width: 3; }
svg .end { stroke: var(--mark); stroke-width: 2; }
svg .rate { fill: var(--mark); }
svg .control .span, svg .control .end { stroke: var(--soft); }
svg .control .rate { fill: var(--soft); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; font-variant-numeric: tabular-nums; }
th, td { padding: .4rem .9rem .4rem 0; text-align: right; border-bottom: 1px solid var(--line); vertical-align: top; white-space: nowrap; }
th { font-weight: 600; color: var(--soft); }
th:first-child, td:first-child, td.said, th.said { text-align: left; }
td.said { white-space: normal; min-width: 12rem; }
th { white-space: normal; vertical-align: bottom; }
.arms td:nth-child(4), .arms td:nth-child(7), .arms td:nth-child(8), .arms td:last-child { white-space: normal; min-width: 4.5rem; }
.compared td:first-child { white-space: normal; min-width: 8rem; }
td:last-child, th:last-child { padding-right: 0; }
tr.supported td.said { color: var(--good); font-weight: 600; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: .5rem 0; font-size: .92rem; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
code { font: .88em ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
ul { margin: .4rem 0; padding-left: 1.2rem; }
.notes { background: var(--box); border-radius: 6px; padding: .6rem 1rem .6rem 2rem; }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: .5rem; } }
footer { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1rem; font-size: .88rem; }
@media print { :root { --ground: #fff; --text: #000; --soft: #444; --line: #bbb; --mark: #000; --good: #000; --box: #fff; } main { padding: 0; max-width: none; } section, figure, tr { break-inside: avoid; } .wide, figure { overflow: visible; } table { font-size: .72rem; } th, td { white-space: normal; } }
`;

/** What the page's policy says of its one style: the SHA-256 of it. A test keeps it true. */
export const STYLE_HASH = "sha256-0f4MR8OWOR74x56iNrJT4UMsOrWx9tKpU9BZYuj7lAM=";
