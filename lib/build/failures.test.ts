import { expect, test } from 'vitest'
import { browserFailures, unitFailures } from './failures.mjs'

test('a failed unit test is named with what it said, as is a file that could not be loaded', () => {
  const report = {
    testResults: [
      { name: 'a.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
      {
        name: 'b.test.ts',
        status: 'failed',
        assertionResults: [
          { fullName: 'A1 counts', status: 'passed' },
          {
            fullName: 'A2 sums',
            status: 'failed',
            failureMessages: ['\u001b[31mexpected 1\u001b[39m\nat b'],
          },
        ],
      },
    ],
  }
  expect(unitFailures(report)).toEqual([
    { title: 'a.test.ts', words: 'no such module' },
    { title: 'b.test.ts > A2 sums', words: 'expected 1\nat b' },
  ])
})

test('a failed browser test is found however deep it lies, and its message is cut', () => {
  const message = Array.from({ length: 40 }, (_, i) => `line ${i}`).join('\n')
  const failed = {
    status: 'unexpected',
    results: [{ error: { message: 'first try' } }, { error: { message } }],
  }
  const report = {
    suites: [
      {
        title: 'x.spec.ts',
        suites: [
          {
            title: 'X1',
            specs: [
              { title: 'shows', file: 'x.spec.ts', line: 7, tests: [failed] },
              { title: 'hides', tests: [{ status: 'expected', results: [{}] }] },
            ],
          },
        ],
      },
    ],
  }
  const [one, ...others] = browserFailures(report)
  expect(others).toEqual([])
  expect(one?.title).toBe('x.spec.ts:7 > shows')
  expect(one?.words.split('\n')).toHaveLength(12)
  expect(one?.words).toContain('line 11')
})

test('how the page of a failed browser test looked in the end is said behind its message', () => {
  const page = Array.from({ length: 90 }, (_, i) => `- cell "${i} ${'long '.repeat(50)}"`).join('\n')
  const attachments = [{ name: 'page', body: Buffer.from(page).toString('base64') }]
  const results = [{ error: { message: 'nothing' }, attachments }]
  const specs = [{ title: 'shows', tests: [{ status: 'unexpected', results }] }]
  const [failure] = browserFailures({ specs })
  const lines = failure?.words.split('\n') ?? []
  expect(lines.slice(0, 2)).toEqual(['nothing', 'The page in the end:'])
  expect(lines[2]).toMatch(/^- cell "0 long/)
  expect(lines).toHaveLength(72)
  expect(Math.max(...lines.map((line) => line.length))).toBe(160)
})
