import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ContextManager } from '../../agent/context-manager'
import { knobPaths } from '../../core/policy/knobs/knob-at'
import { HELP_DUTIES } from './help'
import { HELP_AGENT, HELP_OPTIONS, type HelpGiven } from './help-agent'
import { helpKnobs } from './help-knobs'

test('V2: the page of an agent’s duties names everything that a ContextManager can be asked for', () => {
  const calls = HELP_DUTIES.map(({ call, does }) => `${call} ${does}`).join('\n')
  const manager = readFileSync(
    fileURLToPath(new URL('../../agent/context-manager.ts', import.meta.url)),
    'utf8',
  )
  const own = Object.getOwnPropertyNames(ContextManager.prototype)
  const open = own.filter(
    (name) =>
      name !== 'constructor' &&
      !new RegExp(`private (async )?${name}\\b`).test(manager) &&
      !new RegExp(`@internal\\s+\\*/\\s+(async )?${name}\\b`).test(manager) &&
      // A figure to be read, not a call.
      Object.getOwnPropertyDescriptor(ContextManager.prototype, name)?.get === undefined,
  )
  expect(open.length).toBeGreaterThan(10)
  expect(open.filter((name) => !calls.includes(`context.${name}(`))).toEqual([])
})

test('V2: the page lists everything that an agent can give, and nothing else', () => {
  const fieldsOf = (file: string, type: string) => {
    const source = readFileSync(fileURLToPath(new URL(`../../agent/${file}`, import.meta.url)), 'utf8')
    const body = source.slice(source.indexOf(`export type ${type}`))
    const lines = body.slice(0, body.indexOf('\n}')).split('\n')
    return lines.flatMap((line) => /^ {2}readonly (\w+)\??:/.exec(line)?.[1] ?? []).sort()
  }
  const named = (rows: readonly HelpGiven[]) => rows.flatMap(({ name }) => name.split(', ')).sort()
  expect(named(HELP_AGENT)).toEqual(fieldsOf('live-agent.ts', 'LiveAgent'))
  expect([...named(HELP_OPTIONS), 'agent'].sort()).toEqual(
    fieldsOf('manager-options.ts', 'ContextManagerOptions'),
  )
})

test('X8: the page lists every value of a policy, with its default in its unit', () => {
  const listed = helpKnobs().flatMap(({ knobs }) => knobs)
  expect(listed.map(({ path }) => path).sort()).toEqual(knobPaths().sort())
  expect(listed.find(({ path }) => path === 'reserve.tokens')?.initial).toBe(
    '20000 (20\u202f000\u00a0tokens)',
  )
  expect(listed.find(({ path }) => path === 'window.byModel.*')).toMatchObject({ label: '*', initial: null })
  expect(listed.find(({ path }) => path === 'relevance.scorer')?.options).toContainEqual({
    value: 'seed',
    about: 'likeness, age and marks, weighted',
  })
})

/** Readers of files, a tokenizer, and a list of prices. */
const PACKAGES = [
  '@humanwhocodes/momoa',
  '@pydantic/genai-prices',
  'js-tiktoken/ranks/cl100k_base',
  'js-tiktoken/ranks/o200k_base',
  'smol-toml',
  'yaml',
  'zod',
]

/** Every package that a file of ours comes to, over whatever it imports. */
function packagesBehind(entry: string): string[] {
  const seen = new Set<string>()
  const packages = new Set<string>()
  const open = [fileURLToPath(new URL(entry, import.meta.url))]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    // What an example in a comment imports is not imported.
    const source = readFileSync(file, 'utf8').replace(/\/\*\*[\s\S]*?\*\//g, '')
    for (const [, path = ''] of source.matchAll(/(?:from\s+|import\s*\(?\s*)'([^']+)'/g)) {
      if (path.startsWith('.')) open.push(resolve(dirname(file), `${path.replace(/\.ts$/, '')}.ts`))
      else packages.add(path)
    }
  }
  expect(seen.size).toBeGreaterThan(200)
  return [...packages].filter((name) => !name.startsWith('node:')).sort()
}

test('V2: the library knows no host: nothing that it imports, however far, is a framework of agents or of pages', () => {
  expect(packagesBehind('../../public/core.ts')).toEqual(PACKAGES)
  expect(packagesBehind('../../public/index.ts')).toEqual([...PACKAGES, 'fzstd', 'json5'].sort())
})
