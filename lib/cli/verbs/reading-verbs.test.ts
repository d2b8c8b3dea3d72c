import { createHash } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { writeDemoFiles } from '../../adapters/files/demo-files'
import { CATEGORIES } from '../../core/tokens/category'
import { LIST_EDITION } from '../../core/tokens/list-edition'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { runCli } from '../../testing/run-cli'
import { sharedFolder } from '../../testing/store-folder'

const folder = sharedFolder()
const env = { HOME: join(folder, 'home'), PLIMSOLL_HOME: join(folder, 'state') }
let openclaw = ''
let pi = ''

beforeAll(async () => {
  const roots = await writeDemoFiles({ home: folder, now: Date.parse('2026-11-21T12:00:00Z') })
  openclaw = roots.find((root) => root.kind === 'openclaw')?.path ?? ''
  pi = roots.find((root) => root.kind === 'pi')?.path ?? ''
})

async function json(...argv: string[]) {
  const run = await runCli([...argv, '--json'], { env })
  return { ...run, value: JSON.parse(run.stdout) }
}

/** Names, bytes and times of everything below a folder. */
function fingerprint(root: string): string {
  const hash = createHash('sha256')
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    hash.update(`${path}\0${statSync(path).mtimeMs}\0`)
    if (entry.isFile()) hash.update(readFileSync(path))
  }
  return hash.digest('hex')
}

describe('plimsoll sessions', () => {
  it('X2 folds copies under their session, and lists them when asked', async () => {
    const store = join(folder, 'copies')
    const sessions = join(store, 'agents', 'main', 'sessions')
    mkdirSync(sessions, { recursive: true })
    const id = '0f5e2a10-1111-4222-8333-444455556666'
    const line = JSON.stringify({ type: 'session', version: 3, id, timestamp: '2026-11-20T10:00:00.000Z' })
    const names = ['', '.reset.2026-11-20T11-00-00Z', '.bak.1']
    for (const name of names) writeFileSync(join(sessions, `${id}.jsonl${name}`), `${line}\n`)
    const { value } = await json('sessions', '--store', store)
    expect(value.sessions).toMatchObject([{ id, state: 'live' }])
    const states = value.sessions[0].copies.map(({ state }: { state: string }) => state)
    expect(states.sort()).toEqual(['backup', 'reset'])
    const rows = async (...argv: string[]) =>
      (await runCli(['sessions', '--store', store, ...argv], { env })).stdout.split('\n').slice(1, -1)
    expect(await rows()).toEqual([expect.stringMatching(/live +2 /)])
    expect(await rows('--copies')).toHaveLength(3)
  })

  it('lists every transcript of a store, with what is damaged counted', async () => {
    const { code, value } = await json('sessions', '--store', openclaw, '--store', pi)
    expect(code).toBe(0)
    expect(value.sessions).toHaveLength(12)
    const byName = Object.fromEntries(
      value.sessions.map((session: { name: string }) => [session.name, session]),
    )
    expect(byName['Night watch']).toMatchObject({
      agent: 'watch',
      key: 'agent:watch:main',
      unreadable: 1,
      window: 64_000,
    })
    expect(byName['Night watch'].compactions).toBeGreaterThan(1)
    expect(byName['Pilots on Telegram'].contextTokens.value).toBeGreaterThan(170_000)
    expect(byName.Keeper.contextTokens.basis).toBe('estimated')
    for (const session of value.sessions) {
      expect(Object.keys(session)).toEqual(
        expect.arrayContaining([
          'id',
          'key',
          'agent',
          'store',
          'file',
          'entries',
          'unreadable',
          'calls',
          'compactions',
          'model',
          'window',
          'contextTokens',
          'updatedAt',
        ]),
      )
      expect(session.updatedAt).toMatch(/^2026-.*Z$/)
    }
  })

  it('draws the same as a table', async () => {
    const { code, stdout } = await runCli(['sessions', '--store', openclaw], { env })
    expect(code).toBe(0)
    expect(stdout).toContain('Berth plan')
    expect(stdout.trim().split('\n')).toHaveLength(10)
  })
})

describe('plimsoll context', () => {
  it('X5 explains a call: categories that add up, entries in order, each with its line', async () => {
    const { value } = await json('context', 'agent:harbour:main', '--store', openclaw, '--call', '120')
    expect(value).toMatchObject({ call: 120, window: 200_000, total: { basis: 'measured' } })
    const sum = value.categories.reduce((all: number, { tokens }: { tokens: number }) => all + tokens, 0)
    expect(sum).toBe(value.total.value)
    const names = value.categories.map(({ category }: { category: string }) => category)
    expect(names).toEqual(CATEGORIES.filter((category) => names.includes(category)))
    expect(names).toEqual(
      expect.arrayContaining(['system-prompt', 'tool-schemas', 'bootstrap-file', 'tool-result']),
    )
    const { entries } = value
    const [first] = entries
    expect(first).toMatchObject({ role: 'compactionSummary', category: 'summary', sent: true })
    expect(first.line).toBeGreaterThan(entries[1].line)
    const lines = entries.slice(1).map(({ line }: { line: number }) => line)
    expect(lines).toEqual([...lines].sort((a, b) => a - b))
  })

  it('X5 says what the runtime leaves out', async () => {
    const { value } = await json('context', 'agent:harbour:discord', '--store', openclaw, '--call', 'next')
    const unsent = value.entries.filter(({ sent }: { sent: boolean }) => !sent)
    expect(unsent.map(({ why }: { why: string }) => why)).toEqual(
      expect.arrayContaining(['transcript-only', 'failed-turn']),
    )
    expect(value.call).toBe('next')
  })

  it('refuses a call that is not there, with how many there are', async () => {
    const { code, value } = await json('context', 'agent:harbour:main', '--store', openclaw, '--call', '9999')
    expect(code).toBe(2)
    expect(value.error).toMatchObject({ code: 'usage', calls: expect.any(Number) })
  })

  it('names candidates for the beginning of several keys, and says when there is none', async () => {
    const many = await json('context', 'agent:harbour:', '--store', openclaw)
    expect(many.code).toBe(2)
    expect(many.value.error.candidates).toHaveLength(3)
    expect((await json('context', 'nobody', '--store', openclaw)).code).toBe(2)
  })
})

describe('plimsoll status', () => {
  it('X9 holds the fill against what the runtime does, says what is assumed, and draws no line of ours', async () => {
    const { value } = await json('status', 'agent:harbour:telegram:direct:pilot', '--store', openclaw)
    expect(value.runtimePolicy).toMatchObject({ kind: 'openclaw', rules: '2026.7', version: '2026.7.1' })
    expect(value.runtimePolicy.assumed.join()).toContain('pruning is taken to be off')
    expect(value.draft).toBeNull()
    expect(
      value.loadLines.map(({ name, tokens }: { name: string; tokens: number }) => [name, tokens]),
    ).toEqual([
      ['compact', 176_000],
      ['flush', 176_000],
    ])
    expect(value.regions.map(({ tokens }: { tokens: number | null }) => tokens)).toEqual([
      ...[null, null, null, null],
      20_000,
    ])
    const text = await runCli(['status', 'agent:harbour:telegram:direct:pilot', '--store', openclaw], { env })
    expect(text.stdout).toContain('OpenClaw 2026.7.1 compacts it')
    expect(text.stdout).toContain('assumed: pruning is taken to be off')
  })

  it('A2 A12 shows fill against regions and load lines of a draft', async () => {
    const { value } = await json(
      ...['status', 'agent:harbour:telegram:direct:pilot', '--store', openclaw, '--policy', 'default'],
    )
    expect([value.draft, value.runtimePolicy]).toEqual(['default', null])
    expect(value.window).toEqual({ tokens: 200_000, source: 'index' })
    expect(value.effectiveBudget).toBe(180_000)
    // A18: 200,000 − 20,000 − 100,000.
    expect([value.historyShare, value.workingSpace]).toEqual([100_000, 80_000])
    expect(value.guard).toEqual({ verdict: 'ok', blockBelow: 16_000, warnBelow: 32_000, message: null })
    expect(value.fill.pctOfBudget).toBeGreaterThan(95)
    expect(value.regions.map(({ tokens }: { tokens: number }) => tokens)).toEqual([
      30_000, 20_000, 90_000, 40_000, 20_000,
    ])
    expect(value.loadLines.every(({ passed }: { passed: boolean }) => passed)).toBe(true)
    expect(value.freshness.updatedAt).toBe('2026-11-21T11:49:00.000Z')
  })

  it('A9 A18 says working space, and that a window is too small', async () => {
    const session = 'agent:harbour:telegram:direct:pilot'
    const text = async (cap: number) => {
      const file = join(folder, `cap-${cap}.yaml`)
      writeFileSync(file, `policy: { window: { cap: ${cap} } }\n`)
      const argv = [session, '--store', openclaw, '--policy', file]
      const [shown, compacted] = await Promise.all(
        ['status', 'compact'].map((verb) => runCli([verb, ...argv], { env })),
      )
      return `${shown?.stdout}\n${compacted?.stdout}`
    }
    expect(await text(32_000)).not.toMatch(/is below/)
    const warned = await text(16_000)
    expect(warned.match(/window of 16000 tokens is below 32000: it is small/g)).toHaveLength(2)
    const refused = await text(15_999)
    expect(refused.match(/window of 15999 tokens is below 16000, where a run is refused/g)).toHaveLength(2)
    const plain = await runCli(['status', session, '--store', openclaw, '--policy', 'default'], { env })
    expect(plain.stdout).toMatch(/80.000 tokens of working space/)
  })

  it('B7 says that the next call will not fit, and that an estimate proves no window', async () => {
    const t = new TranscriptBuilder()
    t.user('begin')
    t.assistant('ok', { usage: { input: 167_000, output: 20 } })
    t.user('0a1f9c77e2 '.repeat(12_000))
    const file = join(folder, 'overfull.jsonl')
    writeFileSync(file, t.text())
    const { value } = await json('status', file)
    expect(value.window).toEqual({ tokens: 200_000, source: 'model', list: LIST_EDITION })
    expect(value.next).toMatchObject({ basis: 'estimated', state: 'will-not-fit' })
    expect(value.next.tokens).toBeGreaterThan(200_000)
    expect((await runCli(['status', file], { env })).stdout).toMatch(
      /The next call will not fit: about 3\d\d.\d{3} tokens in a window of 200.000/,
    )
  })

  it('B7 says where the next call fits, and where it is past the line that acts', async () => {
    const state = async (input: number) => {
      const t = new TranscriptBuilder()
      t.user('begin')
      t.assistant('ok', { usage: { input, output: 20 } })
      const file = join(folder, `fits-${input}.jsonl`)
      writeFileSync(file, t.text())
      return (await json('status', file)).value.next
    }
    expect(await state(20_000)).toEqual({ tokens: 20_020, basis: 'measured', state: 'fits', line: 183_616 })
    expect(await state(195_000)).toMatchObject({ state: 'past-line' })
  })

  it('takes the newest session when none is named, and a file anywhere', async () => {
    expect((await json('status', '--store', openclaw)).code).toBe(0)
    const { value } = await json('sessions', '--store', pi)
    const { file, id } = value.sessions[0]
    expect((await json('status', file)).value.session).toMatchObject({ id, file })
  })
})

describe('plimsoll stores and doctor', () => {
  it('X1 say what was probed and found', async () => {
    const found = await json('stores', '--store', openclaw)
    expect(found.value.stores).toMatchObject([
      { kind: 'openclaw', era: 'jsonl', state: 'ok', transcripts: 9 },
    ])
    const none = await json('stores')
    expect(none.value.stores).toEqual([])
    expect(none.value.probes.length).toBeGreaterThan(3)
    const checked = await json('doctor', '--store', openclaw)
    expect(checked.code).toBe(0)
    expect(checked.value.database).toMatchObject({ state: 'missing', reader: null })
    expect((await runCli(['doctor'], { env })).stdout).toContain('not made yet')
  })
})

describe('bad input', () => {
  it('an empty folder, a missing one, a file of rubbish: each gets its message, and exit code 4 where nothing can be read', async () => {
    const empty = join(folder, 'empty')
    mkdirSync(empty)
    expect(await json('sessions', '--store', empty)).toMatchObject({ code: 0, value: { sessions: [] } })
    expect((await json('sessions', '--store', join(folder, 'missing'))).code).toBe(4)
    const rubbish = join(folder, 'rubbish.jsonl')
    writeFileSync(rubbish, Buffer.from([0, 255, 10, 254, 0, 10, 123]))
    const run = await json('status', rubbish)
    expect([0, 4]).toContain(run.code)
    if (run.code === 0) expect(run.value.unreadable).toBeGreaterThan(0)
    else expect(run.stderr).toContain('rubbish.jsonl')
  })

  it('a torn last line and hostile text do no harm', async () => {
    const copy = join(folder, 'hostile')
    cpSync(openclaw, copy, { recursive: true })
    const { value } = await json('sessions', '--store', copy)
    const { file, id, entries } = value.sessions.find(
      (session: { name: string }) => session.name === 'Dockside',
    )
    const at = '2026-11-21T09:00:00.000Z'
    const content = '\u001b[2J\u001b]0;pwned\u0007 \u202e<script>alert(1)</script>'
    const message = {
      type: 'message',
      id: 'beefbeef',
      parentId: null,
      timestamp: at,
      message: { role: 'user', content },
    }
    appendFileSync(file, `${JSON.stringify(message)}\n{"type":"mess`)
    const { value: after } = await json('sessions', '--store', copy)
    const session = after.sessions.find((candidate: { id: string }) => candidate.id === id)
    expect(session).toMatchObject({ entries: entries + 1, unreadable: 0 })
    for (const argv of [
      ['context', file, '--call', 'next'],
      ['sessions', '--store', copy],
    ]) {
      const { stdout } = await runCli(argv, { env })
      expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u)
    }
    expect((await runCli(['context', file, '--call', 'next'], { env })).stdout).toContain('<script>')
  })

  it('nothing in a store is ever written', async () => {
    // Our own state, an index of cold storage, lies beside it.
    const before = fingerprint(join(folder, 'demo'))
    for (const argv of [['sessions'], ['status'], ['stores'], ['doctor'], ['context', 'agent:ledger:main']]) {
      await runCli([...argv, '--store', openclaw], { env })
    }
    expect(fingerprint(join(folder, 'demo'))).toBe(before)
  })
})
