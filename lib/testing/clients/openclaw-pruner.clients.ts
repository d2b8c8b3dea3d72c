import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import type { Policy } from '../../core/policy/policy'
import { PRESETS } from '../../core/policy/presets'
import { resolvePolicy } from '../../core/policy/resolve'
import { prunedMessage } from '../../core/pruning/apply-prune'
import { prunePlan } from '../../core/pruning/prune-plan'
import { Prunable, prunableContext, prunableMessages, type RawMessage } from '../builders/prunable'
import { CORPUS, transcriptFiles } from '../corpus'
import { installClient } from './install'

/** The last release whose pruner is one function over messages, of which all is configurable. */
const OPENCLAW = { name: 'openclaw', version: '2026.7.1' }

type Pruner = (params: {
  readonly messages: readonly RawMessage[]
  readonly settings: object
  readonly ctx: object
  readonly contextWindowTokensOverride: number
}) => readonly RawMessage[]

let pruneOfOpenClaw: Pruner
let defaults: object
let folder: string

/** The client exports no pruner; its own text of it is run unchanged, with the modules that it imports. */
beforeAll(async () => {
  const dist = join(installClient(OPENCLAW.name, OPENCLAW.version), 'dist')
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-pruner-'))
  const file = readdirSync(dist).find(
    (name) => name.endsWith('.js') && readFileSync(join(dist, name), 'utf8').includes(REGION('pruner')),
  )
  if (file === undefined) throw new Error('No file of the client holds its pruner.')
  const text = readFileSync(join(dist, file), 'utf8')
  const imported = ['normalizeLowercaseStringOrEmpty', 'compileGlobPatterns', 'estimateStringChars'].map(
    (name) => importOf(text, name, dist),
  )
  const own = ['tools', 'pruner', 'settings'].map((region) => regionOf(text, region))
  const module = join(folder, 'pruner.mjs')
  writeFileSync(
    module,
    [
      ...imported,
      'const parseDurationMs = () => 0',
      ...own,
      'export { pruneContextMessages, DEFAULT_CONTEXT_PRUNING_SETTINGS }',
    ].join('\n'),
  )
  const loaded = await import(pathToFileURL(module).href)
  pruneOfOpenClaw = loaded.pruneContextMessages
  defaults = loaded.DEFAULT_CONTEXT_PRUNING_SETTINGS
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const REGION = (name: string) => `//#region src/agents/agent-hooks/context-pruning/${name}.ts`

function regionOf(text: string, name: string): string {
  const start = text.indexOf(REGION(name))
  if (start < 0) throw new Error(`The client has no ${name} of pruning.`)
  return text.slice(start, text.indexOf('//#endregion', start))
}

/** The line that imports a name, with the place where the client's module really is. */
function importOf(text: string, name: string, dist: string): string {
  const line = text.split('\n').find((one) => one.startsWith('import {') && one.includes(` as ${name}`))
  if (line === undefined) throw new Error(`The client does not import ${name}.`)
  return line.replace(/from "\.\//, `from "${pathToFileURL(dist).href}/`)
}

/** The message of a line, with its content as a list, as the client has it once it is loaded. */
function messageOf(line: string): RawMessage[] {
  try {
    const { type, message } = JSON.parse(line)
    if (type !== 'message') return []
    const content =
      typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content
    return [{ ...message, content, timestamp: Number(message.timestamp) || 1 }]
  } catch {
    return []
  }
}

/** The same knobs as OpenClaw names them. */
function settingsOf({ cacheTtl, placeholder }: Policy['pruning']): object {
  return {
    mode: 'cache-ttl',
    ttlMs: cacheTtl.ttlMs,
    keepLastAssistants: cacheTtl.keepLastAssistants,
    softTrimRatio: cacheTtl.softTrimRatio,
    hardClearRatio: cacheTtl.hardClearRatio,
    minPrunableToolChars: cacheTtl.minPrunableChars,
    tools: { allow: cacheTtl.allow, deny: cacheTtl.deny },
    softTrim: {
      maxChars: cacheTtl.softTrimMaxChars,
      headChars: cacheTtl.softTrimHeadChars,
      tailChars: cacheTtl.softTrimTailChars,
    },
    hardClear: { enabled: cacheTtl.hardClear, placeholder },
  }
}

function prunedByUs(messages: readonly RawMessage[], policy: Policy, window: number): RawMessage[] {
  const { decisions } = prunePlan(prunableContext(messages, policy, { window }), ['cache-ttl'])
  return messages.map((message, at) =>
    prunedMessage(
      message,
      decisions.filter((decision) => decision.at === at),
      policy.pruning,
    ),
  )
}

function compare(messages: readonly RawMessage[], policy: Policy, window: number): number {
  const theirs = pruneOfOpenClaw({
    messages,
    settings: settingsOf(policy.pruning),
    ctx: {},
    contextWindowTokensOverride: window,
  })
  expect(prunedByUs(messages, policy, window)).toEqual(theirs)
  return theirs.filter((message, at) => message !== messages[at]).length
}

const policyOf = (pruning: object) =>
  resolvePolicy([
    { level: 'preset', label: 'openclaw', patch: PRESETS.openclaw },
    { level: 'session', label: 's', patch: { pruning } },
  ]).policy

describe(`pruning decides and writes as OpenClaw ${OPENCLAW.version} does`, () => {
  it('the defaults are the same', () => {
    const { tools, ...rest } = settingsOf(DEFAULT_POLICY.pruning) as { tools: object }
    expect({ ...rest, tools: {} }).toEqual(defaults)
    expect(tools).toEqual({ allow: [], deny: [] })
  })

  it('long sessions with the defaults, on both sides of both thresholds', () => {
    let changed = 0
    for (const chars of [3000, 4000, 4001, 9000])
      for (const window of [4000, 20_000, 40_000, 60_000, 100_000, 200_000]) {
        const made = new Prunable().user('a')
        for (let i = 0; i < 40; i++)
          made.call(i % 3 ? 'bash' : 'read', { n: i }, 'berth 4 '.repeat(chars / 8))
        changed += compare(made.says('1').says('2').says('3').messages, policyOf({}), window)
      }
    expect(changed).toBeGreaterThan(100)
  })

  it.skipIf(CORPUS === null)('real sessions (needs the shared corpus)', () => {
    let changed = 0
    const folders = ['pi', 'openclaw-2026.7.1', 'openclaw-public'].map((name) => join(CORPUS ?? '', name))
    for (const file of folders.flatMap(transcriptFiles)) {
      const messages = readFileSync(file, 'utf8').split('\n').flatMap(messageOf)
      for (const window of [1000, 8000, 32_000, 200_000])
        changed +=
          compare(messages, policyOf({}), window) + compare(messages.slice(0, 60), policyOf({}), window)
    }
    expect(changed).toBeGreaterThan(200)
  })

  it('any context, any knobs', () => {
    const cacheTtl = fc.record({
      keepLastAssistants: fc.integer({ min: 0, max: 5 }),
      softTrimRatio: fc.constantFrom(0, 0.1, 0.3, 1),
      hardClearRatio: fc.constantFrom(0, 0.2, 0.5, 1),
      minPrunableChars: fc.constantFrom(0, 3000, 50_000),
      softTrimMaxChars: fc.constantFrom(0, 50, 300, 4000),
      softTrimHeadChars: fc.constantFrom(0, 7, 150, 1500),
      softTrimTailChars: fc.constantFrom(0, 9, 150, 1500),
      hardClear: fc.boolean(),
      allow: fc.constantFrom<string[]>([], ['*'], ['read', 'W*e'], [' ']),
      deny: fc.constantFrom<string[]>([], ['ba*'], ['*e*d*']),
    })
    let changed = 0
    fc.assert(
      fc.property(
        prunableMessages,
        cacheTtl,
        fc.constantFrom(100, 500, 2000, 8000, 30_000),
        (messages, knobs, window) => {
          changed += compare(messages, policyOf({ cacheTtl: knobs }), window)
        },
      ),
      { numRuns: 3000 },
    )
    expect(changed).toBeGreaterThan(300)
  })
})
