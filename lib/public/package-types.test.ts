import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { buildLibrary, LIBRARY } from '../build/build-library.mjs'
import { sharedFolder } from '../testing/store-folder'
import * as node from './index'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')

const folder = sharedFolder()
beforeAll(async () => {
  await buildLibrary()
  const installed = join(folder, 'node_modules', 'plimsoll-agent')
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  // What is packed has the same types (package.test.ts): packing and installing it once more would take ten seconds.
  for (const name of ['package.json', 'types'])
    cpSync(join(LIBRARY, name), join(installed, name), { recursive: true })
}, 300_000)

/** Methods of the classes, each by its class. */
const METHODS = {
  AgentContext: 'close compact fit recover report search sessionEnd status undoRecovery',
  ContextManager:
    'add addWithRoom afterResponse beforeResponse canAdd check compact noteUsage recount recover request resume send sessionEnd status tokens toolResults undoRecovery',
  Conversation: 'add getContext setContext',
  TaskKeeper: 'add change complete cycles ready search section start tree',
  KnowledgeBase: 'add edit forget learn name recall search tidy',
  RecallLibrary: 'progress refresh search sources sync',
  SummaryChain: 'ask deadlineOf isPast',
  PromptCache: 'close invalidate snapshot state',
}

/** A module that writes declarations for all that the functions and methods of the library take and answer. */
function consumer(): string {
  const lines = [
    "import * as api from 'plimsoll-agent'",
    "import { openFactDatabase } from 'plimsoll-agent/knowledge'",
    'declare function given<A extends unknown[]>(call: (...args: A) => unknown): A',
    'declare function made<A extends unknown[]>(type: new (...args: A) => unknown): A',
    'declare function answered<R>(call: (...args: never[]) => R): R',
    'export const databaseGiven = given(openFactDatabase)',
    'export const databaseAnswered = answered(openFactDatabase)',
  ]
  for (const [name, value] of Object.entries(node)) {
    const methods: string | undefined = METHODS[name as keyof typeof METHODS]
    if (typeof value !== 'function') lines.push(`export const ${name} = { ...api.${name} }`)
    else if (!/^[A-Z]/.test(name))
      lines.push(
        `export const ${name}Given = given(api.${name})`,
        `export const ${name}Answered = answered(api.${name})`,
      )
    else lines.push(`export const ${name}Made = made(api.${name})`)
    for (const method of methods?.split(' ') ?? [])
      lines.push(`export const ${name}_${method} = api.${name}.prototype.${method}`)
  }
  return lines.join('\n')
}

/** What the type checker says of files in the folder; '' when there is nothing to say. */
function faultsIn(files: readonly string[], options: object): string {
  const compilerOptions = {
    strict: true,
    target: 'es2023',
    // What the package declares needs neither Node's types nor anybody else's.
    lib: ['es2023', 'dom'],
    types: [],
    skipLibCheck: false,
    // The compiler's own libraries are no part of what is checked.
    skipDefaultLibCheck: true,
    noEmit: true,
    ...options,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  try {
    return execFileSync(process.execPath, [TSC, '-p', folder, '--pretty', 'false'], { encoding: 'utf8' })
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout ?? error)
  }
}

const RESOLUTIONS = [
  ['bundler', { module: 'esnext', moduleResolution: 'bundler' }],
  ['node16', { module: 'node16', moduleResolution: 'node16' }],
  ['nodenext', { module: 'nodenext', moduleResolution: 'nodenext' }],
] as const

test.each(RESOLUTIONS)('its types hold in a strict project that finds modules like %s', (_, options) => {
  writeFileSync(
    join(folder, 'entries.ts'),
    "export * as index from 'plimsoll-agent'\nexport * as core from 'plimsoll-agent/core'\nexport * as knowledge from 'plimsoll-agent/knowledge'\n",
  )
  writeFileSync(
    join(folder, 'wrong.ts'),
    "import { ContextManager, maskSecrets } from 'plimsoll-agent/core'\nmaskSecrets(7)\nContextManager.none\n",
  )
  const faults = faultsIn(['entries.ts', 'wrong.ts'], options)
  expect(faults.trim().split('\n')).toEqual([
    expect.stringContaining('wrong.ts(2,13): error TS2345'),
    expect.stringContaining('wrong.ts(3,16): error TS2339'),
  ])
})

test('V2: whoever writes declarations for what the library takes and answers needs no other name', () => {
  writeFileSync(join(folder, 'consumer.ts'), consumer())
  const writing = { noEmit: false, declaration: true, emitDeclarationOnly: true, outDir: 'out' }
  expect(faultsIn(['consumer.ts'], { ...RESOLUTIONS[0][1], ...writing })).toBe('')
  const written = readFileSync(join(folder, 'out', 'consumer.d.ts'), 'utf8')
  expect(written).toContain('BeforeResponse')
  // Nothing has become `any` because its declaration was not found.
  expect(written).not.toMatch(/_(beforeResponse|request): any/)
})
