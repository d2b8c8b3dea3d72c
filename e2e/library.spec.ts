import { execFileSync, spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from '@playwright/test'
import { LADDER_EXAMPLE } from '../lib/view/help/ladder-example'
import { MEMORY_EXAMPLE } from '../lib/view/memory/memory-example'
import { test } from './world'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const WINDOWS = process.platform === 'win32'

/** The few lines that the README shows first. */
function readmeExample(): string {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  return /```ts\n(import .* from 'plimsoll'\n.*?)```/s.exec(readme)?.[1] ?? ''
}

/** A project that has installed the packed package, with what it depends on and nothing else. */
function projectWithPackage(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-agent-'))
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: ROOT,
    encoding: 'utf8',
    shell: WINDOWS,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [{ filename }]: [{ filename: string }] = JSON.parse(packed)
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', folder])
  renameSync(join(folder, 'package'), join(modules, 'plimsoll'))
  const { dependencies } = JSON.parse(readFileSync(join(modules, 'plimsoll', 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name), 'junction')
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  writeFileSync(
    join(folder, 'plimsoll.yaml'),
    'policy:\n  lines:\n    compact: { at: 0.00001 }\n  compaction: { keepRecentTokens: 200 }\n  logs: { path: logs-of-example }\n',
  )
  mkdirSync(join(folder, 'workspace'))
  writeFileSync(join(folder, 'workspace', 'AGENTS.md'), 'Moor at berth 9.')
  return folder
}

/** Messages of the type checker about files of a project; '' when there is none. */
function faultsIn(folder: string, files: readonly string[], types: readonly string[]): string {
  const language = {
    strict: true,
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023', 'dom'],
    skipLibCheck: false,
  }
  const typeRoots = [join(ROOT, 'node_modules', '@types')]
  const config = { compilerOptions: { ...language, types, typeRoots, noEmit: true }, files }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  try {
    execFileSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { encoding: 'utf8' })
    return ''
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout ?? error)
  }
}

test.describe('the packed package', () => {
  let folder = ''
  /** What the type checker says of the examples, which are one program: most of its work are the types that all use. */
  let faults = ''
  test.beforeAll(() => {
    folder = projectWithPackage()
    writeFileSync(join(folder, 'five.ts'), readmeExample())
    writeFileSync(join(folder, 'agent.ts'), LADDER_EXAMPLE)
    writeFileSync(join(folder, 'remember.ts'), MEMORY_EXAMPLE)
    faults = faultsIn(folder, ['five.ts', 'agent.ts', 'remember.ts'], ['node'])
  })
  test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const run = (file: string, ...flags: string[]) =>
    execFileSync(process.execPath, [...flags, join(folder, file)], {
      cwd: folder,
      encoding: 'utf8',
      // What the agent prints is read here, whatever the terminal shows.
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
    })

  test('runs the few lines that the README shows', () => {
    expect(readmeExample()).toContain('createContext({')
    writeFileSync(join(folder, 'five.mjs'), readmeExample())
    expect(run('five.mjs')).toContain('Which berth is free?')
    expect(faults).toBe('')
  })

  test('runs the agent that the help shows', () => {
    writeFileSync(join(folder, 'agent.mjs'), LADDER_EXAMPLE)
    const said = run('agent.mjs')
    expect(said).toContain("[ 'compact' ]")
    expect(said).toContain('<prior-conversation-summary>')
    expect(said).toContain('Moor at berth 9.')
    expect(said).toContain('Which berth is free?')
    expect(said).toContain('"tool_use_id":"call_49"')
    expect(readdirSync(join(folder, 'logs-of-example'))).toContain('compaction.jsonl')
  })

  test('V1: an agent of ten lines has its context counted, curated, logged, brought back and archived', () => {
    const crane = 'The old crane stands at pier nine, behind the chandlery.'
    const filler = 'Nothing else was noted on that day in the log of the harbour. '.repeat(16)
    const questions = [
      'Where does the old crane stand?',
      ...Array.from({ length: 9 }, (_, i) => `What was noted of ship ${i}?`),
      'The old crane stands at pier nine?',
    ]
    writeFileSync(
      join(folder, 'model.mjs'),
      `export const questions = ${JSON.stringify(questions)}
      export async function ask({ messages }) {
        const asked = messages.at(-1).message.content.split('\\n\\n').at(-1)
        const back = messages.some(({ message }) => message.content.startsWith('<recovered-context'))
        if (asked.startsWith('The old')) console.log(JSON.stringify({ back }))
        return { role: 'assistant', content: asked.startsWith('Where') ? ${JSON.stringify(crane)} : asked + ${JSON.stringify(filler)} }
      }`,
    )
    writeFileSync(join(folder, 'ten.mjs'), readFileSync(join(ROOT, 'e2e', 'ten-line-agent.mjs'), 'utf8'))
    const said = run('ten.mjs')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const last = said.at(-1)
    const dropped = said.reduce((sum, line) => sum + (line.dropped ?? 0), 0)
    expect(dropped).toBeGreaterThan(3)
    expect(said).toContainEqual({ back: true })
    expect(said.flatMap(({ steps }) => steps ?? [])).toContain('recover')
    expect(last).toMatchObject({ ended: 'archived', status: { window: 6_000, needsCompaction: false } })
    expect(last.status.chunks.cold).toBeGreaterThanOrEqual(dropped)
    const lines = (name: string) =>
      readFileSync(join(folder, 'logs', name), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    expect(lines('drops.jsonl')).toHaveLength(dropped)
    expect(readFileSync(lines('drops.jsonl')[0].cold_storage_path, 'utf8')).toContain(
      lines('drops.jsonl')[0].chunk_id,
    )
    expect(lines('curation.jsonl').length).toBeGreaterThan(0)
    expect(lines('recovery.jsonl')[0]).toMatchObject({ trigger: 'relevance', query: questions.at(-1) })
    expect(readdirSync(join(folder, 'cold')).sort()).toContain('agent%3aharbour%3amain')
  })

  test('K1, L1, G6: runs the agent with a memory that the help shows', () => {
    mkdirSync(join(folder, 'workspace', 'memory'), { recursive: true })
    writeFileSync(
      join(folder, 'workspace', 'memory', 'crane.md'),
      'The crane controller logs to /var/log/crane.log.',
    )
    expect(faults).toBe('')
    writeFileSync(join(folder, 'remember.mjs'), MEMORY_EXAMPLE.replace(': object', ''))
    const said = run('remember.mjs')
    expect(said).toContain('## Current Task')
    expect(said).toContain('<context source="memory/crane.md"')
    expect(said).toContain("content: 'The crane logs to /var/log/crane.log.'")
  })

  test('brings types that hold in a strict project, and are no “any”', () => {
    expect(faults).toBe('')
    writeFileSync(
      join(folder, 'wrong.ts'),
      "import { ContextManager, maskSecrets } from 'plimsoll/core'\nmaskSecrets(7)\nContextManager.none\n",
    )
    const wrong = faultsIn(folder, ['wrong.ts'], [])
    expect(wrong).toContain('wrong.ts(2,13): error TS2345')
    expect(wrong).toContain('wrong.ts(3,16): error TS2339')
    expect(wrong.trim().split('\n')).toHaveLength(2)
  })

  test('has a core that works where there is no Node, and shares its classes', () => {
    const core = `
      import { register } from 'node:module'
      register('data:text/javascript,' + encodeURIComponent(\`
        export async function resolve(name, context, next) {
          const found = await next(name, context)
          if (found.url.startsWith('node:')) throw new Error('needs ' + name)
          return found
        }\`))
      const { ContextManager, DEFAULT_POLICY } = await import('plimsoll/core')
      const context = new ContextManager({ policy: DEFAULT_POLICY, window: 200_000, key: null, promptCache: null })
      const prompt = [{ role: 'user', content: 'Which berth is free?' }]
      const { messages } = await context.request({ parts: { identity: 'You keep the harbour log.' }, prompt })
      console.log(JSON.stringify(messages))
    `
    writeFileSync(join(folder, 'core.mjs'), core)
    expect(JSON.parse(run('core.mjs'))).toEqual([
      { slot: 'prompt', message: { role: 'user', content: 'Which berth is free?' } },
    ])
    writeFileSync(
      join(folder, 'both.mjs'),
      "import * as a from 'plimsoll'\nimport * as b from 'plimsoll/core'\nconsole.log(String(a.PromptCache === b.PromptCache))\n",
    )
    expect(run('both.mjs').trim()).toBe('true')
  })

  test('has the command line, which says so where there is no dashboard', () => {
    const bin = join(folder, 'node_modules', 'plimsoll', 'lib', 'cli', 'bin.cjs')
    const env = { ...process.env, PLIMSOLL_HOME: join(folder, 'state'), PLIMSOLL_DIST: '' }
    const shown = spawnSync(process.execPath, [bin, 'policy', 'show', '--window', '200000', '--json'], {
      cwd: folder,
      env,
      encoding: 'utf8',
    })
    expect(JSON.parse(shown.stdout)).toMatchObject({ window: 200_000 })
    // It comes with npm pack, which builds it.
    rmSync(join(folder, 'node_modules', 'plimsoll', 'dist', 'dashboard'), { recursive: true, force: true })
    const served = spawnSync(process.execPath, [bin, 'serve'], { cwd: folder, env, encoding: 'utf8' })
    expect(served.status).toBe(3)
    expect(served.stderr).toContain('not built')
  })
})
