import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { fileColdStore } from '../../adapters/cold/file-cold-store'
import { nodeWriteFiles } from '../../adapters/write/node-write-files'
import { safeName } from '../../core/cold/names'
import { fillWithForeignFiles } from '../../testing/hostile/foreign-files-in-cold-storage'
import { runCli } from '../../testing/run-cli'
import { temporaryFolder } from '../../testing/store-folder'

let folder = ''
let env: Record<string, string> = {}
const cold = () => join(folder, '.clawdbot', 'cold-storage')
const logs = () => join(folder, '.clawdbot', 'logs', 'context')

beforeEach(async () => {
  folder = temporaryFolder()
  env = { HOME: folder, PLIMSOLL_HOME: join(folder, 'state') }
  mkdirSync(logs(), { recursive: true })
  writeFileSync(join(logs(), 'drops.jsonl'), '{"chunk_id":"a"}\n')
  writeFileSync(join(logs(), 'drops.jsonl.1'), '{"chunk_id":"b"}\n')
  writeFileSync(join(logs(), 'notes.txt'), 'mine')
  writeFileSync(join(folder, '.clawdbot', 'context-config.yaml'), 'RELEVANCE_CUTOFF: 0.3\n')
  const chunk = {
    sessionId: '../s',
    content: 'text',
    tokens: 1,
    reason: 'low_relevance',
    score: 0.1,
    prompt: 'p',
  }
  const at = Date.now()
  const record = (chunkId: string) => ({ ...chunk, chunkId, at, until: at + 1e9, place: null })
  await fileColdStore(nodeWriteFiles, cold(), () => 'batch').put(['a', 'b', 'c'].map(record))
})

const run = (...argv: string[]) => runCli(argv, { env, cwd: folder })
const listed = async (): Promise<number> =>
  JSON.parse((await run('cold-storage', 'list', '--json')).stdout).total

test('R6: refuses without --force, says what it would take away, and changes nothing', async () => {
  const refused = await run('reset')
  expect(refused.code).toBe(3)
  expect(refused.stderr).toMatch(/files of cold storage .* and 2 files of the context logs .*--force/)
  expect(await listed()).toBe(3)
  expect(existsSync(join(logs(), 'drops.jsonl'))).toBe(true)
})

test('R6: with --force cold storage and logs are gone, nothing else, and each can be brought back', async () => {
  const before = readFileSync(join(logs(), 'drops.jsonl'), 'utf8')
  const done = await run('reset', '--force', '--json')
  expect([done.code, done.stderr]).toEqual([0, ''])
  const { places } = JSON.parse(done.stdout)
  expect(places).toMatchObject([{ what: 'cold-storage' }, { what: 'logs', files: 2 }])
  expect(await listed()).toBe(0)
  expect(readdirSync(logs())).toEqual(['notes.txt'])
  expect(existsSync(join(folder, '.clawdbot', 'context-config.yaml'))).toBe(true)
  for (const { receipt } of places) expect((await run('undo', receipt)).code).toBe(0)
  expect(await listed()).toBe(3)
  expect(readFileSync(join(logs(), 'drops.jsonl'), 'utf8')).toBe(before)
  const nothing = temporaryFolder()
  const none = await runCli(['reset', '--force'], {
    env: { HOME: nothing, PLIMSOLL_HOME: join(nothing, 's') },
  })
  expect([none.code, none.stdout]).toEqual([0, 'Nothing changed: there is nothing to reset.\n'])
})

test('R6: what is no file of cold storage and no log stays, and is named in the preview, the report and the JSON', async () => {
  const foreign = [
    ...fillWithForeignFiles(cold()),
    ...fillWithForeignFiles(logs()),
    join(logs(), 'notes.txt'),
  ]
  const before = foreign.map((file) => readFileSync(file, 'utf8'))
  const shared = join(cold(), safeName('../s'), 'shared.jsonl')
  writeFileSync(shared, '{"chunk_id":"c","session_id":"../s","content":"text"}\n')
  linkSync(shared, join(folder, 'another-name.jsonl'))
  const preview = await run('reset')
  expect(preview.code).toBe(3)
  expect(preview.stderr).toContain(`Left alone in ${cold()}: 13 files that are not cold storage (e.g. `)
  const asJson = JSON.parse((await run('reset', '--json')).stdout)
  expect(asJson.error.places).toMatchObject([
    { what: 'cold-storage', leftAlone: { count: 13 } },
    { what: 'logs', files: 2, leftAlone: { count: 13 } },
  ])
  const done = await run('reset', '--force')
  expect(done.code).toBe(0)
  expect(done.stderr).toContain(`Left alone in ${logs()}: 13 files that are not a context log (e.g. `)
  expect(foreign.map((file) => readFileSync(file, 'utf8'))).toEqual(before)
  expect(existsSync(shared)).toBe(true)
  expect(existsSync(join(logs(), 'drops.jsonl'))).toBe(false)
  expect(readdirSync(join(cold(), safeName('../s')))).toEqual(['shared.jsonl'])
})

test('R6: a folder in which nothing is of cold storage has nothing to reset, and what lies there is named', async () => {
  const nothing = temporaryFolder()
  mkdirSync(join(nothing, '.clawdbot', 'cold-storage', 'x'), { recursive: true })
  writeFileSync(join(nothing, '.clawdbot', 'cold-storage', 'x', 'thesis.tex'), 'mine')
  const done = await runCli(['reset', '--force'], {
    env: { HOME: nothing, PLIMSOLL_HOME: join(nothing, 's') },
  })
  expect([done.code, done.stdout]).toEqual([0, 'Nothing changed: there is nothing to reset.\n'])
  expect(done.stderr).toMatch(/^Left alone in .*: 1 file that is not cold storage \(.*thesis\.tex\)\.\n$/)
})
