import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { archiveOf } from '../../../compose/archive'
import { TranscriptBuilder } from '../../../testing/builders/transcript'
import { runCli } from '../../../testing/run-cli'
import { temporaryFolder, writeFiles } from '../../../testing/store-folder'

const DAY = 86_400_000

function session(name: string, text: string): string {
  const builder = new TranscriptBuilder({ id: name })
  builder.user(text)
  builder.assistant('At sea.', { usage: { input: 1000, output: 20 } })
  return builder.text()
}

const ANCHOR = session('anchor', 'Where is the barnacle?')

/** A store of OpenClaw with an archive that has read it once. */
async function world(settings = 'archive: { enabled: true, keep: 30d }') {
  const home = temporaryFolder()
  const sessions = join(home, 'store', 'agents', 'main', 'sessions')
  writeFiles(home, {
    'store/openclaw.json':
      '{ "meta": { "lastTouchedVersion": "2026.7.1" }, "session": { "maintenance": { "pruneAfter": "10d" } } }',
    'store/agents/main/sessions/sessions.json':
      '{ "agent:main:main": { "sessionId": "beacon", "updatedAt": 1 } }',
    'store/agents/main/sessions/anchor.jsonl': ANCHOR,
    'store/agents/main/sessions/beacon.jsonl': session('beacon', 'Is the light on?'),
    'plimsoll.yaml': settings,
  })
  const state = join(home, 'state')
  const env = {
    HOME: home,
    PLIMSOLL_HOME: state,
    PLIMSOLL_STORES: join(home, 'store'),
    PLIMSOLL_CONFIG: join(home, 'plimsoll.yaml'),
  }
  const cli = (...args: string[]) => runCli(args, { env, cwd: home, stop: new AbortController().signal })
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await cli(...args, '--json')
    return { code, stderr, ...JSON.parse(stdout || '{}') }
  }
  await json('ingest')
  const anchor = join(sessions, 'anchor.jsonl')
  return { home, state, sessions, anchor, cli, json, folder: archiveOf({ home: state }) }
}

describe('plimsoll archive list', () => {
  it('tells what is kept, what was deleted, and what will be within a week', async () => {
    const { anchor, json, cli } = await world()
    const old = Math.floor((Date.now() - 5 * DAY) / 1000)
    utimesSync(anchor, old, old)
    const before = await json('archive', 'list')
    expect(before).toMatchObject({ code: 0, enabled: true, keepDays: 30 })
    expect(before.transcripts).toHaveLength(2)
    expect(before.due).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{16}$/),
        session: 'anchor',
        path: anchor,
        at: new Date(old * 1000 + 10 * DAY).toISOString(),
        rule: 'session.maintenance.pruneAfter is 10d',
        // Its time is another one than when it was copied.
        kept: false,
      },
    ])
    const text = await cli('archive')
    expect(text.stdout).toMatch(/^2 transcripts in the archive, .* of 10\.7\sGB on disk\.\n/)
    expect(text.stdout).toMatch(
      /1 transcript will be deleted by the runtime within a week:\n {2}.*anchor.jsonl: after .* NOT in the archive/,
    )
    rmSync(anchor)
    await json('ingest')
    const [deleted, ...others] = (await json('archive', 'list', '--deleted')).transcripts
    expect(others).toEqual([])
    expect(deleted).toMatchObject({
      session: 'anchor',
      path: anchor,
      state: 'deleted',
      deletedBy: null,
      bytes: ANCHOR.length,
    })
  })

  it('warns of nothing in the demo: no runtime tidies up what was made here', async () => {
    const home = temporaryFolder()
    const root = join(home, 'state', 'demo', 'openclaw')
    const file = join(root, 'agents', 'main', 'sessions', 'anchor.jsonl')
    writeFiles(root, {
      'openclaw.json': '{ "meta": { "lastTouchedVersion": "2026.7.1" } }',
      'agents/main/sessions/anchor.jsonl': ANCHOR,
    })
    utimesSync(file, 1_700_000_000, 1_700_000_000)
    const due = async (state: string) => {
      const env = { HOME: home, PLIMSOLL_HOME: join(home, state), PLIMSOLL_STORES: root }
      const { stdout } = await runCli(['archive', 'list', '--json'], { env, cwd: home })
      return JSON.parse(stdout).due.length
    }
    expect([await due('state'), await due('other')]).toEqual([0, 1])
  })

  it('says that it is switched off', async () => {
    const { cli } = await world('{}')
    expect((await cli('archive', 'list')).stdout).toMatch(/^0 transcripts in the archive.*It is switched off/)
  })
})

describe('plimsoll archive restore', () => {
  it('shows first, then puts the file back to the byte, with a receipt that takes it back', async () => {
    const { anchor, json, cli } = await world()
    rmSync(anchor)
    await json('ingest')
    const trial = await json('archive', 'restore', 'anchor')
    expect(trial).toMatchObject({ code: 0, dryRun: true, would: 'create', file: anchor, receipt: null })
    expect(existsSync(anchor)).toBe(false)
    const done = await json('archive', 'restore', 'anchor', '--apply')
    expect(done).toMatchObject({ code: 0, dryRun: false, sha256: trial.sha256, verified: true })
    expect(readFileSync(anchor, 'utf8')).toBe(ANCHOR)
    await json('ingest')
    expect((await json('archive', 'list', '--deleted')).transcripts).toEqual([])
    expect(await json('archive', 'restore', 'anchor', '--apply')).toMatchObject({ code: 0, receipt: null })
    expect(JSON.stringify(await json('audit'))).toContain('"kind":"restore"')
    expect((await cli('undo', done.receipt)).code).toBe(0)
    expect(existsSync(anchor)).toBe(false)
  })

  it('never overwrites another file', async () => {
    const { anchor, json } = await world()
    writeFileSync(anchor, 'something else')
    for (const apply of [[], ['--apply']]) {
      const { code, stderr } = await json('archive', 'restore', 'anchor', ...apply)
      expect([code, stderr]).toEqual([3, expect.stringMatching(/exists already and holds something else/)])
    }
    expect(readFileSync(anchor, 'utf8')).toBe('something else')
  })

  it('makes the folder again that went with its last file, but nothing behind a link', async () => {
    const { home, sessions, json } = await world()
    rmSync(sessions, { recursive: true })
    mkdirSync(join(home, 'elsewhere'))
    symlinkSync(join(home, 'elsewhere'), sessions)
    expect(await json('archive', 'restore', 'anchor', '--apply')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/leads out of its store/),
    })
    expect(readdirSync(join(home, 'elsewhere'))).toEqual([])
    rmSync(sessions)
    expect(await json('archive', 'restore', 'anchor', '--apply')).toMatchObject({ code: 0 })
    expect(readFileSync(join(sessions, 'anchor.jsonl'), 'utf8')).toBe(ANCHOR)
  })

  it.each([
    ['outside of its store', (home: string) => join(home, 'elsewhere', 'x.jsonl')],
    ['on its way out of it', (home: string) => join(home, 'store', '..', 'x.jsonl')],
  ])('refuses a copy whose path was changed to one %s', async (_, pathIn) => {
    const { home, state, anchor, json } = await world()
    rmSync(anchor)
    await json('ingest')
    const folder = join(state, 'archive', 'transcripts')
    for (const name of readdirSync(folder)) {
      const version = JSON.parse(readFileSync(join(folder, name), 'utf8'))
      if (version.sessionId === 'anchor')
        writeFileSync(join(folder, name), JSON.stringify({ ...version, path: pathIn(home) }))
    }
    expect(await json('archive', 'restore', 'anchor', '--apply')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/leads out of its store/),
    })
    expect(existsSync(pathIn(home))).toBe(false)
  })

  it('writes into a new file elsewhere, and an older version, if it is asked to', async () => {
    const { home, anchor, json } = await world()
    const anew = session('anchor', 'Written anew.')
    rmSync(anchor)
    writeFileSync(anchor, anew)
    await json('ingest')
    expect(
      (await json('archive', 'list')).transcripts.find(
        ({ session }: { session: string }) => session === 'anchor',
      ),
    ).toMatchObject({ version: 2, older: [1] })
    const file = join(home, 'out.jsonl')
    expect(
      await json('archive', 'restore', 'anchor', '--number', '1', '--to', 'out.jsonl', '--apply'),
    ).toMatchObject({ code: 0, file })
    expect(readFileSync(file, 'utf8')).toBe(ANCHOR)
    expect(statSync(file).mode & 0o777).toBe(statSync(anchor).mode & 0o777)
    expect(await json('archive', 'restore', 'anchor', '--to', 'out.jsonl', '--apply')).toMatchObject({
      code: 3,
    })
    expect(await json('archive', 'restore', 'anchor', '--number', '7')).toMatchObject({ code: 2 })
    expect(await json('archive', 'restore', 'anc', '--to', 'x')).toMatchObject({ code: 0 })
    expect(await json('archive', 'restore', 'nothing')).toMatchObject({ code: 2 })
    expect(await json('archive', 'restore')).toMatchObject({ code: 2 })
  })

  it('refuses a copy that is damaged, and writes nothing of it', async () => {
    const { state, anchor, json, folder } = await world()
    rmSync(anchor)
    await json('ingest')
    for (const hash of (await folder.blocks()).keys()) {
      writeFileSync(join(state, 'archive', 'blocks', hash.slice(0, 2), `${hash}.br`), 'rubbish')
    }
    expect(await json('archive', 'restore', 'anchor', '--apply')).toMatchObject({ code: 3 })
    expect(existsSync(anchor)).toBe(false)
    expect(await json('archive', 'verify')).toMatchObject({ code: 1, ok: false, damaged: [{}, {}] })
  })
})

describe('plimsoll archive verify and prune', () => {
  it('says that all is whole', async () => {
    const { json, cli } = await world()
    expect(await json('archive', 'verify')).toMatchObject({
      code: 0,
      ok: true,
      copies: 2,
      damaged: [],
      unused: 0,
    })
    expect((await cli('archive', 'verify')).stdout).toMatch(/^The archive is whole: 2 copies/)
  })

  it('shows what would go, takes it with --apply, and never the only copy of what was deleted lately', async () => {
    const { anchor, json, folder } = await world()
    rmSync(anchor)
    await json('ingest')
    expect(await json('archive', 'prune', '--apply')).toMatchObject({ code: 0, removed: [], freedBytes: 0 })
    const [mark] = await folder.marks()
    if (mark === undefined) throw new Error('not noted')
    await folder.putMark({ ...mark, at: Date.now() - 31 * DAY })
    const trial = await json('archive', 'prune')
    expect(trial).toMatchObject({ dryRun: true, removed: [{ id: mark.id, why: 'deleted' }], blocks: 1 })
    expect(await json('archive', 'verify')).toMatchObject({ copies: 2 })
    expect(await json('archive', 'prune', '--apply')).toMatchObject({ dryRun: false, removed: trial.removed })
    expect(await json('archive', 'verify')).toMatchObject({ ok: true, copies: 1, unused: 0 })
    expect(await folder.marks()).toEqual([])
  })

  it('takes what is named at once, and what it was read from', async () => {
    const { state, anchor, json, cli } = await world()
    rmSync(anchor)
    await json('ingest')
    await json('context', 'anchor')
    expect(readdirSync(join(state, 'archive', 'reading'))).toHaveLength(1)
    expect(await json('archive', 'prune', 'anchor', '--apply')).toMatchObject({ removed: [{ why: 'named' }] })
    expect(readdirSync(join(state, 'archive', 'reading'))).toEqual([])
    expect((await json('archive', 'list')).transcripts).toHaveLength(1)
    const { stdout } = await cli('archive', 'prune', 'beacon')
    expect(stdout).toMatch(/named\n.* would stay\.\nWhat is still in its store is copied again/)
  })

  it('leaves to other verbs only what needs no file: they refuse to write', async () => {
    const { anchor, json } = await world()
    rmSync(anchor)
    await json('ingest')
    expect(await json('status', 'anchor')).toMatchObject({ code: 0 })
    expect(await json('compact', 'anchor')).toMatchObject({ code: 0 })
    for (const args of [
      ['repair', 'anchor', '--apply'],
      ['compact', 'anchor', '--now'],
    ]) {
      const { code, stderr } = await json(...args)
      expect([args[0], code, stderr]).toEqual([args[0], 3, expect.stringMatching(/gone|not there/)])
    }
    expect(existsSync(anchor)).toBe(false)
  })

  it('refuses while another process is at it', { timeout: 60_000 }, async () => {
    const { json, folder } = await world()
    const refused = await folder.alone(() => json('archive', 'prune', '--apply'))
    expect(refused?.value).toMatchObject({ code: 3, stderr: expect.stringMatching(/Another process copies/) })
  })

  it('gives up a copy that cannot be understood only when it is named', async () => {
    const { state, json } = await world()
    const [name = ''] = readdirSync(join(state, 'archive', 'transcripts'))
    writeFileSync(join(state, 'archive', 'transcripts', name), '{')
    expect(await json('archive', 'prune', '--apply')).toMatchObject({ code: 4 })
    expect(await json('archive', 'prune', name.slice(0, 16), '--apply')).toMatchObject({ code: 0, blocks: 1 })
  })

  it('knows no other action, and not both of --apply and --dry-run', async () => {
    const { json } = await world()
    expect(await json('archive', 'burn')).toMatchObject({ code: 2 })
    expect(await json('archive', 'prune', '--apply', '--dry-run')).toMatchObject({ code: 2 })
  })
})
