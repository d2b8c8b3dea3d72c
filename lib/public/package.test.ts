import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, posix, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseSync } from 'vite'
import { beforeAll, expect, test } from 'vitest'
import { LIBRARY } from '../build/build-library.mjs'
import { installPackedAgent } from '../testing/packed-agent'
import { sharedFolder } from '../testing/store-folder'
import * as node from './index'
import * as knowledge from './knowledge'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MEGABYTE = 1_000_000

const folder = sharedFolder()
let installed = ''
beforeAll(() => {
  installed = installPackedAgent(ROOT, folder)
}, 300_000)

/** Files below a folder, by their paths in it. */
function filesIn(place: string): string[] {
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => posix.join(...relative(place, join(item.parentPath, item.name)).split(/[\\/]/)))
    .sort()
}

const read = (path: string) => readFileSync(join(installed, path), 'utf8')

/** Modules that a file of the package asks for when it is loaded, or later. */
function asksFor(path: string): string[] {
  const { module } = parseSync(path, read(path))
  const dynamic = module.dynamicImports.map(({ moduleRequest: { start, end } }) =>
    read(path).slice(start + 1, end - 1),
  )
  return [
    ...module.staticImports.map((item) => item.moduleRequest.value),
    ...module.staticExports.flatMap((item) =>
      item.entries.flatMap((entry) => entry.moduleRequest?.value ?? []),
    ),
    ...dynamic,
  ]
}

/** All that an entry leads to: files of the package, and the names of other modules. */
function reachedFrom(entry: string): { readonly files: Set<string>; readonly others: Set<string> } {
  const [files, others, waiting] = [new Set<string>(), new Set<string>(), [entry]]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (files.has(path)) continue
    files.add(path)
    for (const name of asksFor(path)) {
      if (name.startsWith('.')) waiting.push(posix.join(posix.dirname(path), name))
      else others.add(name)
    }
  }
  return { files, others }
}

/** Runs a module in the folder that installed the package; answers what it printed. */
function run(code: string): string {
  return execFileSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: folder,
    encoding: 'utf8',
  })
}

test('it holds every declaration that was built', () => {
  const types = filesIn(join(LIBRARY, 'types'))
  expect(types.length).toBeGreaterThan(50)
  expect(filesIn(join(installed, 'types'))).toEqual(types)
  for (const path of types)
    expect(read(`types/${path}`), path).toBe(readFileSync(join(LIBRARY, 'types', path), 'utf8'))
})

test('the package is the library alone: a few megabytes, no other package, no map, no path of this machine', () => {
  const modules = join(folder, 'node_modules')
  expect(readdirSync(modules).filter((name) => !name.startsWith('.'))).toEqual(['plimsoll-agent'])
  const blocks = filesIn(modules).map((path) => Math.ceil(statSync(join(modules, path)).size / 4096) * 4096)
  expect(blocks.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(12 * MEGABYTE)
  const files = filesIn(installed)
  expect(files).toEqual(expect.arrayContaining(['README.md', 'AGENTS.md', 'LICENSE', 'THIRD-PARTY.md']))
  expect(files.filter((path) => /\.map$|(^|\/)\.|node_modules|\.test\./.test(path))).toEqual([])
  const machine = [ROOT, homedir(), 'sourceMappingURL'].filter((word) => word.length > 1)
  const naming = files.filter((path) => machine.some((word) => read(path).includes(word)))
  expect(naming).toEqual([])
  const manifest = JSON.parse(read('package.json'))
  expect(manifest.dependencies).toBeUndefined()
  expect(manifest.version).toBe(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version)
})

test('nothing of it asks for another package; the core asks for nothing of Node either', () => {
  const reached = ['index.js', 'core.js', 'knowledge.js'].map(reachedFrom)
  const others = reached.flatMap((entry) => [...entry.others])
  expect(others.filter((name) => !name.startsWith('node:'))).toEqual([])
  expect([...(reached[1]?.others ?? [])]).toEqual([])
  // Nothing is carried along that no entry leads to.
  const all = new Set(reached.flatMap((entry) => [...entry.files]))
  expect(readdirSync(installed).filter((name) => name.endsWith('.js') && !all.has(name))).toEqual([])
  // What it was made of is known by name, with its licence.
  const parts = [...read('THIRD-PARTY.md').matchAll(/^## (\S+) /gm)].map(([, name]) => name)
  expect(parts).toEqual(expect.arrayContaining(['js-tiktoken', 'yaml', 'zod']))
  expect(parts.filter((name) => /next|react|prisma|libsql/.test(String(name)))).toEqual([])
})

test('each entry exports what its sources do, and classes are shared between entries', () => {
  const names = (entry: string) =>
    JSON.parse(run(`console.log(JSON.stringify(Object.keys(await import('${entry}')).sort()))`))
  expect(names('plimsoll-agent')).toEqual(Object.keys(node).sort())
  expect(names('plimsoll-agent/knowledge')).toEqual(Object.keys(knowledge))
  const same = `import * as a from 'plimsoll-agent'; import * as b from 'plimsoll-agent/core'
    console.log(a.PromptCache === b.PromptCache, Object.keys(b).every((name) => name in a))`
  expect(run(same).trim()).toBe('true true')
})

test('plimsoll exports the very files that plimsoll-agent is made of', () => {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const own = JSON.parse(read('package.json')).exports
  for (const entry of ['.', './core', './knowledge'])
    for (const kind of ['types', 'default'])
      expect(exports[entry][kind]).toBe(own[entry][kind].replace('./', './dist/library/'))
  const library = join(ROOT, 'dist', 'library')
  const differing = filesIn(installed).filter(
    (path) => !readFileSync(join(library, path)).equals(readFileSync(join(installed, path))),
  )
  expect(differing).toEqual([])
})

test('L3: facts in a database are opened with libsql where it is installed; else what is missing is said', () => {
  const code = `import { openFactDatabase } from 'plimsoll-agent/knowledge'
    const opened = openFactDatabase('facts.db')
    if (!opened.ok) console.log(opened.message)
    else { console.log(JSON.stringify(await opened.facts.find({ terms: null }))); opened.close() }`
  const brings = process.getBuiltinModule('node:module').isBuiltin('node:sqlite')
  expect(run(code).trim()).toContain(brings ? '[]' : 'npm install libsql')
  const modules = join(folder, 'node_modules')
  for (const name of ['libsql', '@libsql', '@neon-rs', 'detect-libc'])
    if (existsSync(join(ROOT, 'node_modules', name)))
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name), 'junction')
  expect(run(code).trim()).toBe('[]')
})

test('the agent of the README works: tools, a compaction, and what left is recalled', () => {
  const readme = read('README.md')
  const [, agent = ''] = /```js\n(import \{ readFile \}[\s\S]*?)```/.exec(readme) ?? []
  // As the README says, to see a compaction.
  writeFileSync(join(folder, 'agent.mjs'), agent.replace("cold: './cold'", "cold: './cold', window: 32_000"))
  const logs = Array.from({ length: 24 }, (_, i) => `log-${i}.txt`)
  for (const [i, name] of logs.entries())
    writeFileSync(
      join(folder, name),
      `Ship ${i} lies at berth ${i + 100}. ${`Nothing else of note in log ${i}. `.repeat(300)}`,
    )
  const questions = [...logs.map((name) => `Please read ${name}`), 'recall ship 2 lies at berth 102']
  const model = pathToFileURL(join(ROOT, 'lib', 'testing', 'children', 'scripted-model.mjs')).href
  const said = execFileSync(process.execPath, ['--import', model, join(folder, 'agent.mjs')], {
    cwd: folder,
    encoding: 'utf8',
    input: questions.join('\n'),
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
  })
  const requests = readFileSync(join(folder, 'requests.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(requests.filter(({ fault }) => fault !== null)).toEqual([])
  expect(requests.length).toBe(2 * questions.length)
  expect(Math.max(...requests.map(({ size }) => size / 4))).toBeLessThan(32_000)
  expect(JSON.stringify(requests.at(-1).first)).toContain('summary')
  expect(said.match(/It says: Ship/g)).toHaveLength(logs.length + 1)
  expect(
    said
      .trimEnd()
      .split('\n')
      .find((line) => line.includes('Ship 2 lies at berth 102')),
  ).toBeDefined()
  expect(said).toContain('window: 32000')
})

test('the pages of the package name what it exports, and no more', () => {
  const exported = new Set([...Object.keys(node), ...Object.keys(knowledge)])
  for (const page of ['README.md', 'AGENTS.md']) {
    const imported = [...read(page).matchAll(/import \{([^}]*)\} from 'plimsoll-agent[^']*'/g)].flatMap(
      ([, names = '']) => names.split(',').map((name) => name.trim()),
    )
    expect(imported.length).toBeGreaterThan(0)
    expect(imported.filter((name) => !exported.has(name))).toEqual([])
    const pages = [...read(page).matchAll(/`([\w-]+\.md)` has /g)].map(([, name = '']) => name)
    for (const name of pages) expect(filesIn(installed), name).toContain(name)
    // Tables name what takes a context without importing it.
    const taking = [...read(page).matchAll(/\b(\w+)\(context[,)]/g)].map(([, name = '']) => name)
    expect(taking.length).toBeGreaterThan(2)
    expect(taking.filter((name) => !exported.has(name))).toEqual([])
  }
})
