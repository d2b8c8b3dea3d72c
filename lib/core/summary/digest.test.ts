import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '../../testing/builders/any-text'
import { CORPUS, transcriptFiles } from '../../testing/corpus'
import { estimateUnits } from '../tokens/estimate'
import { isObject } from '../transcript/json'
import { auditedIdentifiers, auditSummary } from './audit'
import { digest, digestBudget } from './digest'
import { failuresIn } from './failures'
import { fileLedger } from './file-ledger'
import { type SourceMessage, sourceMessage } from './source-message'

const options = { budget: 600, sizeOf: estimateUnits }

function said(role: SourceMessage['role'], text: string, more: Partial<SourceMessage> = {}): SourceMessage {
  return { entryId: 'e', line: 1, role, text, calls: [], images: 0, ...more }
}

function called(id: string, name: string, input: Record<string, unknown>): SourceMessage {
  return said('assistant', '', { calls: [{ id, name, input }] })
}

describe('digest without a model', () => {
  const story: SourceMessage[] = [
    said('user', 'Please make the footer dim. Never change the theme files.'),
    called('1', 'read', { path: 'src/footer.ts' }),
    said('toolResult', 'export const footer = 1', { resultFor: '1', toolName: 'read' }),
    called('2', 'edit', { path: 'src/footer.ts', oldText: 'a', newText: 'b' }),
    said('toolResult', 'ok', { resultFor: '2', toolName: 'edit' }),
    called('3', 'bash', { command: 'npm test -- footer' }),
    said('toolResult', 'Error: expected 2, got 3', { resultFor: '3', toolName: 'bash', isError: true }),
    said('assistant', 'The root cause was a wrong default. We decided to pass the colour in.'),
    called('4', 'write', { path: 'docs/denied.md', content: '' }),
    said('toolResult', 'EACCES: permission denied', { resultFor: '4', toolName: 'write', isError: true }),
    said('user', 'Good. Now check build 20261121 on https://ci.example.com/runs/7 and report.'),
  ]

  test('D15, D16: names decisions, rules, asks, files, failures and identifiers', () => {
    const text = digest(story, options)
    expect(text).toContain('- We decided to pass the colour in.')
    expect(text).toContain('- Never change the theme files.')
    expect(text).toContain('- Newest: Good. Now check build 20261121')
    expect(text).toContain('- src/footer.ts: edited')
    expect(text).toContain('- bash `npm test -- footer`: Error: expected 2, got 3')
    expect(text).toContain('https://ci.example.com/runs/7')
    // A write that failed has written nothing.
    expect(text).not.toContain('docs/denied.md: created')
  })

  test('passes the audit of the safeguard', () => {
    expect(auditSummary(digest(story, options), story)).toEqual([])
  })

  test('the audit finds what is missing', () => {
    const codes = auditSummary('## Decisions\n## Decisions\n', story).map(({ code }) => code)
    expect(codes).toEqual([
      'duplicate_section',
      'missing_section',
      'missing_section',
      'missing_section',
      'missing_section',
      'missing_identifiers',
      'latest_user_ask_not_reflected',
    ])
    expect(auditedIdentifiers(story)).toEqual(['20261121', 'https://ci.example.com/runs/7'])
  })

  test('a failure that went well later says so and comes last', () => {
    const later: SourceMessage[] = [
      ...story,
      called('5', 'bash', { command: 'npm test -- footer' }),
      said('toolResult', 'all good', { resultFor: '5', toolName: 'bash' }),
    ]
    const errors = digest(later, options).split('## Errors\n')[1]?.split('\n\n')[0]?.split('\n') ?? []
    expect(errors.at(-1)).toMatch(/npm test.* — went well later$/)
  })

  test('failures of a long session are listed in time in proportion to it', () => {
    const failuresOf = (count: number) => {
      const messages = Array.from({ length: count }, (_, i): SourceMessage[] => {
        const tool = `tool${i.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? '')}`
        return [
          said('toolResult', 'it failed', { toolName: tool, isError: true }),
          said('toolResult', 'fine', { toolName: 'other' }),
        ]
      }).flat()
      const since = process.cpuUsage()
      expect(failuresIn(messages)).toHaveLength(count)
      const { user, system } = process.cpuUsage(since)
      return user + system
    }
    failuresOf(1_000)
    const short = Math.max(failuresOf(2_000), 2_000)
    expect(failuresOf(32_000) / short).toBeLessThan(80)
  })

  test('D20: deterministic, and never far above its budget, whatever the messages', () => {
    const anyMessage = fc
      .record({
        role: fc.constantFrom('user', 'assistant', 'toolResult'),
        text: fc.string({ unit: anyCharacter, maxLength: 3_000 }),
      })
      .map(({ role, text }) => said(role as SourceMessage['role'], text))
    fc.assert(
      fc.property(fc.array(anyMessage, { maxLength: 30 }), (messages) => {
        const text = digest(messages, options)
        expect(digest(messages, options)).toBe(text)
        expect(auditSummary(text, messages)).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  test('size: a tenth of what it replaces, within bounds', () => {
    expect([500, 10_000, 400_000].map(digestBudget)).toEqual([256, 1_000, 2_000])
    const long = Array.from({ length: 300 }, (_, i) =>
      said(
        'assistant',
        `We decided to use src/part${i}/file${i}.ts because buildStep${i} needs port ${4000 + i}.`,
      ),
    )
    const size = estimateUnits(digest([...story, ...long], { ...options, budget: 2_000 }))
    expect(size).toBeGreaterThan(1_900)
    expect(size).toBeLessThan(2_100)
  })
})

describe.skipIf(CORPUS === null)('digests of the corpus (skipped without ../shared/corpus)', () => {
  const sessions =
    CORPUS === null
      ? []
      : ['pi', 'openclaw-2026.7.1', 'openclaw-public'].flatMap((name) => transcriptFiles(`${CORPUS}/${name}`))

  test.each(sessions.map((file) => [basename(file), file]))(
    '%s: audit and artifact recall at many cuts',
    (_name, file) => {
      const messages = readMessages(file)
      for (const share of [0.25, 0.5, 0.75, 1]) {
        const before = messages.slice(0, Math.round(messages.length * share))
        const tokens = before.reduce((sum, { text }) => sum + estimateUnits(text), 0)
        const text = digest(before, { ...options, budget: digestBudget(tokens) })
        expect(auditSummary(text, before)).toEqual([])
        const written = [...fileLedger(before).values()].filter((one) => one.created || one.edits > 0)
        const named = written.filter(({ path }) => text.includes(path))
        expect(named.length).toBeGreaterThanOrEqual(written.length * 0.95)
      }
    },
  )
})

function readMessages(file: string): SourceMessage[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, i) => {
      const entry: unknown = line === '' ? null : JSON.parse(line)
      const place = { entryId: isObject(entry) ? String(entry.id) : '', line: i + 1 }
      return (isObject(entry) && sourceMessage(entry, place)) || []
    })
}
