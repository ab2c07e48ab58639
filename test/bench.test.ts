/** What the figures compute, tested beside them in bench/ and collected here. */
import "../bench/import/closure.test.ts";
import "../bench/loop/judge.test.ts";
