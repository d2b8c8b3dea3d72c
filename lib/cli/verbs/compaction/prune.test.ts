import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../../../testing/run-cli'
import { sharedFolder } from '../../../testing/store-folder'

const folder = sharedFolder()
const store = join(folder, '.openclaw', 'agents', 'main', 'sessions')
const file = join(store, 's1.jsonl')
const env = { HOME: folder, PLIMSOLL_HOME: join(folder, 'state') }
const START = Date.UTC(2026, 10, 1, 8)
const LONG = 'berth 4 is free. '.repeat(400)

let lines: object[] = []
const entry = (message: object) => {
  const count = lines.length
  const timestamp = START + count * 1000
  lines.push({
    type: 'message',
    id: `e${count}`,
    parentId: count === 1 ? null : `e${count - 1}`,
    timestamp: new Date(timestamp).toISOString(),
    message: { ...message, timestamp },
  })
}
const usage = { input: 5, output: 9, cacheRead: 0, cacheWrite: 0, totalTokens: 14 }
const call = (id: string, name: string, args: object, text: string, isError = false) => {
  const content = [{ type: 'toolCall', id, name, arguments: args }]
  const reported = { provider: 'anthropic', model: 'claude-sonnet-4-5', api: 'anthropic-messages' }
  entry({ role: 'assistant', content, ...reported, usage, stopReason: 'toolUse' })
  entry({ role: 'toolResult', toolCallId: id, toolName: name, content: [{ type: 'text', text }], isError })
}

beforeAll(() => {
  mkdirSync(store, { recursive: true })
  lines = [
    {
      type: 'session',
      version: 3,
      id: 's1',
      timestamp: new Date(START).toISOString(),
      cwd: folder,
    },
  ]
  entry({ role: 'user', content: [{ type: 'text', text: 'Look at the docks.' }] })
  call('c1', 'read', { path: 'dock.ts' }, `password=hunter2secret ${LONG}`)
  call('c2', 'read', { path: 'dock.ts' }, LONG)
  for (let i = 3; i < 9; i++) call(`c${i}`, 'bash', { command: `ls ${i}` }, LONG)
  call('c9', 'bash', { command: 'false' }, LONG, true)
  writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
})

async function run(...argv: string[]) {
  const done = await runCli(['prune', file, '--policy', 'default', '--json', ...argv], { env })
  return { ...done, value: JSON.parse(done.stdout) }
}

describe('plimsoll prune', () => {
  it('J1 J4 shows each rule alone and together, every text with its one reason, and writes nothing', async () => {
    const before = readFileSync(file, 'utf8')
    const { code, value } = await run('--dry-run')
    expect(code).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe(before)
    const rule = (name: string) => value.rules.find((one: { rule: string }) => one.rule === name)
    // 9 results; the newest ten messages protect five of them.
    expect(rule('age').alone.texts).toBe(4)
    expect(rule('superseded-reads').alone.texts).toBe(1)
    expect(rule('duplicates')).toMatchObject({ chosen: true, alone: { texts: 1 }, together: { texts: 1 } })
    expect(rule('superseded-reads').together.texts).toBe(0)
    expect(rule('age').together.texts).toBe(3)
    expect(rule('cache-ttl')).toMatchObject({ chosen: false, together: null })
    expect(value.counts).toEqual({ keep: 5, trim: 0, clear: 4 })
    expect(value.tokensBefore.value - value.tokensAfter.value).toBe(value.freed)
    expect(value.texts.filter((text: { action: string }) => text.action === 'clear')).toMatchObject([
      { rule: 'duplicates', reason: 'the same call was made again later, in the same words', line: 4 },
      { rule: 'age', reason: 'older than tool results stay' },
      { rule: 'age' },
      { rule: 'age' },
    ])
    expect(value.texts.at(-1)).toMatchObject({ action: 'keep', reason: 'of a kind that always stays' })
  })

  it('looks at the rules that are named, and at any call', async () => {
    const alone = await run('--rule', 'superseded-reads')
    expect(alone.value.counts).toEqual({ keep: 8, trim: 0, clear: 1 })
    expect(alone.value.texts[0]).toMatchObject({ reason: 'the file was read again later' })
    const early = await run('--call', '3')
    expect(early.value).toMatchObject({ call: 3, counts: { keep: 2, clear: 0 } })
    // The cache cannot have gone cold between two calls that follow at once.
    const cold = await run('--rule', 'cache-ttl', '--call', 'last')
    expect(cold.value.rules.at(-1).alone.idle).toMatch(/may still be warm/)
  })

  it('says what is wrong with a call or a rule that does not exist', async () => {
    const call99 = await run('--call', '99')
    expect(call99.code).toBe(2)
    expect(call99.stderr).toMatch(/has no call 99; it has 9 calls/)
    const done = await runCli(['prune', file, '--rule', 'nothing'], { env })
    expect(done.code).toBe(2)
    expect(done.stderr).toMatch(/superseded-reads/)
  })

  it('prints tables for people, credentials covered', async () => {
    const { stdout, code } = await runCli(['prune', file, '--policy', 'default', '--all'], { env })
    expect(code).toBe(0)
    expect(stdout).toMatch(/RULE\s+ALONE|duplicates\s+on/)
    expect(stdout).toContain('never a transcript')
    const shown = await runCli(['prune', file, '--policy', 'default', '--json'], { env })
    expect(shown.stdout).not.toContain('hunter2secret')
  })
})
