import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fileColdStore } from '../../adapters/cold/file-cold-store'
import { nodeWriteFiles } from '../../adapters/write/node-write-files'
import { runCli } from '../../testing/run-cli'

let folder = ''
let env: Record<string, string> = {}
const cold = () => join(folder, '.clawdbot', 'cold-storage')
const logs = () => join(folder, '.clawdbot', 'logs', 'context')

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-reset-'))
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
afterEach(() => rmSync(folder, { recursive: true, force: true }))

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
  const nothing = mkdtempSync(join(tmpdir(), 'plimsoll-reset-none-'))
  try {
    const none = await runCli(['reset', '--force'], {
      env: { HOME: nothing, PLIMSOLL_HOME: join(nothing, 's') },
    })
    expect([none.code, none.stdout]).toEqual([0, 'Nothing changed: there is nothing to reset.\n'])
  } finally {
    rmSync(nothing, { recursive: true, force: true })
  }
})
