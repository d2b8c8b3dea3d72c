import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { buildLibrary, LIBRARY } from '../build/build-library.mjs'
import { knobAt, knobPaths } from '../core/policy/knobs/knob-at'
import { allowedAt } from '../core/policy/knobs/knob-words'
import { type DeclaredName, declaredNames } from '../testing/api-report'
import { sharedFolder } from '../testing/store-folder'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const ENTRIES = {
  'public/core': 'plimsoll-agent/core',
  'public/index': 'plimsoll-agent',
  'public/knowledge': 'plimsoll-agent/knowledge',
}

const folder = sharedFolder()
let found = new Map<string, DeclaredName[]>()
beforeAll(async () => {
  await buildLibrary()
  found = declaredNames(join(LIBRARY, 'types'), Object.keys(ENTRIES))
}, 300_000)

const firstSentence = (docstring: string) =>
  docstring
    .replace(/\n@[\s\S]*$/, '')
    .split(/\n\n/)[0]
    ?.replace(/\n/g, ' ') ?? ''

/** Functions are called by the name that they are exported by, whatever it is where they are declared. */
const underName = (name: string, signature: string) => signature.replace(/^function \w+/, `function ${name}`)

function section([entry, names]: readonly [string, readonly DeclaredName[]]): string {
  const title = ENTRIES[entry as keyof typeof ENTRIES]
  const parts = names.map(
    ({ name, docstring, signature }) =>
      `### ${name}\n\n${firstSentence(docstring)}\n\n\`\`\`ts\n${underName(name, signature)}\n\`\`\``,
  )
  return [`## ${title}`, ...parts].join('\n\n')
}

/** The policy's type is made of this table, so that a signature does not show it. */
function policyTable(): string {
  const rows = knobPaths().map(
    (path) => `| \`${path}\` | ${allowedAt(path)} | \`${JSON.stringify(knobAt(path)?.initial)}\` |`,
  )
  return ['## Policy', '', '| path | value | default |', '|---|---|---|', ...rows].join('\n')
}

test('V2: what the package offers is what api.md says; a wanted change is noted with `npx vitest run lib/public/api.test.ts -u`', async () => {
  const head =
    '# Surface of plimsoll-agent\n\nEvery exported name with its signature, written by `api.test.ts`. `plimsoll-agent` exports all of its core as well; `plimsoll` exports the same.'
  await expect(`${[head, ...[...found].map(section), policyTable()].join('\n\n')}\n`).toMatchFileSnapshot(
    'api.md',
  )
})

/** The example in a docstring, without its fence; null when there is none. */
const exampleIn = (docstring: string) => /@example\s+```ts\n([\s\S]*?)\n```/.exec(docstring)?.[1] ?? null

test('V2: each exported function, class and constant has an example', () => {
  const all = [...found.values()].flat().filter(({ kind }) => kind !== 'type')
  expect(all.filter(({ docstring }) => exampleIn(docstring) === null).map(({ name }) => name)).toEqual([])
})

test('V2: the examples hold in a strict project', () => {
  const all = [...found.values()].flat()
  const names = all.flatMap(({ name, docstring }) => {
    const example = exampleIn(docstring)
    if (example === null) return []
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${name}.ts`), `${example}\nexport {}\n`)
    return [`${name}.ts`]
  })
  const paths = Object.fromEntries(
    Object.entries(ENTRIES).map(([entry, name]) => [name, [join(LIBRARY, 'types', `${entry}.d.ts`)]]),
  )
  const compilerOptions = {
    strict: true,
    target: 'es2023',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom'],
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules', '@types')],
    skipLibCheck: true,
    noEmit: true,
    paths,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: names }))
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  let said = ''
  try {
    execFileSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { encoding: 'utf8' })
  } catch (error) {
    said = String((error as { stdout?: unknown }).stdout ?? error)
  }
  expect(said).toBe('')
})
