// @ts-check
// Names of failed tests with the first lines of what they said, from the reports of vitest and Playwright, and how the
// page of a failed browser test looked in the end: for the end of a long log, of which often only the end is kept.

/** Lines of a message that are kept; what follows is in the log above. */
const LINES = 12

/** Lines of a page that are kept, and the most characters of each. */
const PAGE_LINES = 70
const PAGE_WIDTH = 160

/**
 * @typedef {{ title: string, words: string }} Failure
 * @typedef {{ name: string, status: string, message?: string, assertionResults: { fullName: string, status: string, failureMessages?: string[] }[] }} UnitFile
 * @typedef {{ title: string, file?: string, line?: number, tests: { status: string, results: { error?: { message?: string }, attachments?: { name: string, body?: string }[] }[] }[] }} BrowserSpec
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

/** How a page looked in the end, where the test has attached that (`e2e/world.ts`). @param {{ name: string, body?: string }[] | undefined} attachments */
function shownPage(attachments) {
  const body = attachments?.find(({ name }) => name === 'page')?.body
  if (body === undefined) return ''
  const lines = Buffer.from(body, 'base64').toString().split('\n')
  const kept = lines.slice(0, PAGE_LINES).map((line) => line.slice(0, PAGE_WIDTH))
  return ['\nThe page in the end:', ...kept].join('\n')
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
        words: beginning(results.at(-1)?.error?.message) + shownPage(results.at(-1)?.attachments),
      })),
  )
  return [...own, ...suites.flatMap(browserFailures)]
}
