import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installPackedAgent } from '../packed-agent'
import { unpackClient } from './install'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const SYSTEM = `${process.platform}-${process.arch}`

/** The oldest Node that the package names, the lines after it, and the newest. */
const NODES = ['20.19.0', '22.16.0', '24.21.0', '26.10.0']
const BUN = '1.4.5'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-runtimes-')))
beforeAll(() => {
  installPackedAgent(ROOT, folder)
  writeFileSync(join(folder, 'core.mjs'), CORE)
  writeFileSync(join(folder, 'disk.mjs'), DISK)
  writeFileSync(join(folder, 'facts.mjs'), FACTS)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** An agent with a long conversation, which is compacted. */
const CORE = `
import { CONTENT_FORM, ContextManager, Conversation, countExact, resolvePolicy } from 'plimsoll-agent/core'
const said = Array.from({ length: 60 }, (_, i) => [
  { role: 'user', content: 'Where does ship ' + i + ' lie?' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'c' + i, name: 'read', input: { ship: i } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c' + i, content: 'Berth. '.repeat(500) }] },
  { role: 'assistant', content: [{ type: 'text', text: 'At berth ' + i }] },
]).flat()
const talk = new Conversation(said)
const { policy } = resolvePolicy([{ level: 'session', label: 'small', patch: { lines: { flush: { enabled: false } } } }])
const agent = { session: 'main', form: CONTENT_FORM, clock: { now: Date.now }, getContext: talk.getContext, setContext: talk.setContext }
const context = new ContextManager({ policy, window: 64_000, key: 'main', promptCache: null, agent })
const prompt = [{ role: 'user', content: 'Which berth is free?' }]
const { steps } = await context.beforeResponse(prompt)
const { messages } = await context.request({ parts: { identity: 'You keep the log.' }, prompt })
const { tokens } = await countExact('Which berth is free?', 'o200k_base')
console.log(JSON.stringify({ steps, fewer: messages.length < said.length, tokens }))
`

/** What touches files. */
const DISK = `
import { existsSync } from 'node:fs'
import { agentMemoryFolder, openColdStore, openPolicyFile } from 'plimsoll-agent'
const { file } = await openPolicyFile('none.yaml')
console.log(typeof openColdStore('cold') + typeof agentMemoryFolder('memory') + typeof file + existsSync('package.json'))
`

const FACTS = `
import { KnowledgeBase } from 'plimsoll-agent'
import { openFactDatabase } from 'plimsoll-agent/knowledge'
const opened = openFactDatabase(process.argv[2])
if (!opened.ok) console.log(opened.message)
else {
  const knowledge = new KnowledgeBase({ store: opened.facts, clock: { now: Date.now }, newId: () => crypto.randomUUID() })
  await knowledge.add('The crane logs to /var/log/crane.log.', { source: 'operator' })
  opened.close()
  const again = openFactDatabase(process.argv[2])
  console.log((await again.facts.find({ terms: ['crane'] }))[0].content)
  again.close()
}
`

/** Runs a file of the folder and answers what it printed last. */
function run(program: string, file: string, ...args: string[]): string {
  return execFileSync(program, [join(folder, file), ...args], { cwd: folder, encoding: 'utf8' }).trim()
}

const COMPACTED = { steps: ['compact'], fewer: true, tokens: 5 }

describe.each(NODES)('the package on Node %s', (version) => {
  let node = ''
  beforeAll(() => {
    const suffix = process.platform === 'win32' ? 'node.exe' : 'node'
    node = join(unpackClient(`node-${SYSTEM}`, version), 'bin', suffix)
  })

  test('the core compacts, and counts with a vocabulary', () => {
    expect(execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()).toBe(`v${version}`)
    expect(JSON.parse(run(node, 'core.mjs'))).toEqual(COMPACTED)
  })

  test('what touches files is there', () => {
    expect(run(node, 'disk.mjs')).toBe('objectobjectobjecttrue')
  })

  test('facts are kept by the SQLite of this Node, or what is missing is said', () => {
    const said = run(node, 'facts.mjs', join(folder, `facts-${version}.db`))
    expect(said).toContain(
      version.startsWith('20') ? 'npm install libsql' : 'The crane logs to /var/log/crane.log.',
    )
  })
})

test(`the core runs in Bun ${BUN}`, () => {
  const system = SYSTEM.replace('arm64', 'aarch64').replace('win32', 'windows')
  const bun = join(
    unpackClient(`@oven/bun-${system}`, BUN),
    'bin',
    process.platform === 'win32' ? 'bun.exe' : 'bun',
  )
  expect(JSON.parse(run(bun, 'core.mjs'))).toEqual(COMPACTED)
  expect(run(bun, 'disk.mjs')).toBe('objectobjectobjecttrue')
})
