// @ts-check
// Names of failed tests with the first lines of what they said, from the reports of vitest and Playwright: for the end of
// a long log, of which often only the end is kept.

/** Lines of a message that are kept; what follows is in the log above. */
const LINES = 12

/**
 * @typedef {{ title: string, words: string }} Failure
 * @typedef {{ name: string, status: string, message?: string, assertionResults: { fullName: string, status: string, failureMessages?: string[] }[] }} UnitFile
 * @typedef {{ title: string, file?: string, line?: number, tests: { status: string, results: { error?: { message?: string } }[] }[] }} BrowserSpec
 * @typedef {{ title: string, specs?: BrowserSpec[], suites?: BrowserSuite[] }} BrowserSuite
 */

/** Matches colours of a terminal. */
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')

/** @param {string | undefined} message */
function beginning(message) {
  const lines = (message ?? '').replaceAll(COLOUR, '').trimEnd().split('\n')
  return lines.slice(0, LINES).join('\n')
}

/**
 * Failed tests of a report by vitest; a file that could not be loaded counts as one.
 * @param {{ testResults: readonly UnitFile[] }} report
 * @returns {Failure[]}
 */
export function unitFailures({ testResults }) {
  return testResults.flatMap((file) => {
    if (file.status === 'failed' && file.assertionResults.length === 0)
      return [{ title: file.name, words: beginning(file.message) }]
    return file.assertionResults
      .filter(({ status }) => status === 'failed')
      .map((test) => ({
        title: `${file.name} > ${test.fullName}`,
        words: beginning(test.failureMessages?.[0]),
      }))
  })
}

/**
 * Failed tests of a report by Playwright.
 * @param {{ suites?: BrowserSuite[], specs?: BrowserSpec[] }} suite
 * @returns {Failure[]}
 */
export function browserFailures({ suites = [], specs = [] }) {
  const own = specs.flatMap((spec) =>
    spec.tests
      .filter(({ status }) => status === 'unexpected')
      .map(({ results }) => ({
        title: `${spec.file ?? ''}:${spec.line ?? ''} > ${spec.title}`,
        words: beginning(results.at(-1)?.error?.message),
      })),
  )
  return [...own, ...suites.flatMap(browserFailures)]
}
