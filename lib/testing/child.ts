import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buildSync } from 'esbuild'

const ROOT = resolve(import.meta.dirname, '../..')

/** A TypeScript file bundled so that Node can start it as a separate program. */
export type ChildProgram = {
  start(args: readonly string[]): RunningChild
  /** The same program, without its worker threads beside it. */
  startAlone(args: readonly string[]): RunningChild
  /** Ends what still runs of it, too: a failed test leaves its children behind. */
  remove(): void
}

type RunningChild = {
  readonly process: ChildProcess
  /** Resolves with the exit code, or null when a signal ended it. */
  readonly ended: Promise<number | null>
  /** What it wrote to standard output so far. */
  output(): string
  /** Resolves as soon as the output contains `text`; rejects when the child ends before. */
  says(text: string): Promise<void>
}

/** Native packages, and what a child may load as any program does. */
const NOT_BUNDLED = [
  'libsql',
  '@libsql/*',
  '@prisma/*',
  'js-tiktoken',
  'js-tiktoken/*',
  'plimsoll',
  'plimsoll/*',
]

/**
 * Bundles `entry` (a path from the root of the checkout).
 * @param threads entries of worker threads that the program looks for beside itself, by the names of their files
 */
export function bundleChild(entry: string, threads: Readonly<Record<string, string>> = {}): ChildProgram {
  // Inside the checkout, so that the packages left out of the bundle are found.
  const folder = mkdtempSync(join(ROOT, 'node_modules', '.plimsoll-child-'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  buildSync({
    absWorkingDir: ROOT,
    entryPoints: { child: entry, ...threads },
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Tests start these programs many times: finding and compiling packages file by file is a third of such a start.
    external: NOT_BUNDLED,
    minify: true,
    // Bundled CommonJS packages ask for `require`, which ES modules do not have.
    banner: {
      js: `import{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);`,
    },
    logLevel: 'warning',
  })
  const alone = join(folder, 'alone')
  mkdirSync(alone)
  copyFileSync(join(folder, 'child.js'), join(alone, 'child.js'))
  const started: RunningChild[] = []
  const start = (file: string, args: readonly string[]) => {
    const child = startChild(file, args)
    started.push(child)
    return child
  }
  return {
    start: (args) => start(join(folder, 'child.js'), args),
    startAlone: (args) => start(join(alone, 'child.js'), args),
    remove: () => {
      for (const child of started) child.process.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function startChild(file: string, args: readonly string[]): RunningChild {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  const listeners = new Set<() => void>()
  child.stdout.on('data', (chunk) => {
    text += chunk
    for (const listener of listeners) listener()
  })
  const ended = new Promise<number | null>((done, fail) => {
    child.once('error', fail)
    child.once('close', (code) => done(code))
  })
  const says = (wanted: string) =>
    new Promise<void>((done, fail) => {
      const check = () => {
        if (text.includes(wanted)) done()
      }
      listeners.add(check)
      check()
      void ended.then(() => fail(new Error(`the child ended without saying ${wanted}: ${text}`)))
    })
  return { process: child, ended, output: () => text, says }
}
