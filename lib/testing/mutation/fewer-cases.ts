import fc from 'fast-check'

// A mutant runs every property that covers it. What ten cases do not see is seen by luck alone; then a plain test is the
// better one.
fc.configureGlobal({ numRuns: 10 })
