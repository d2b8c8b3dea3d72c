import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder, writeFiles } from '../testing/store-folder'

/** Verbs for the real entry: `slow` asks late until when it may run, `stubborn` does not end when it is asked to. */
const MAIN = `
exports.main = async ({ argv: [verb, ms = '0'], stdout, untilStopped }) => {
  stdout.write('begun ' + process.pid + '\\n')
  await new Promise((resolve) => setTimeout(resolve, Number(ms)))
  if (verb === 'parent') {
    const { spawn } = require('node:child_process')
    const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1e3); console.log("child up")'], { stdio: ['pipe', 'inherit', 'inherit'] })
    process.once('exit', () => child.kill('SIGKILL'))
    stdout.write('child ' + child.pid + '\\n')
  }
  setInterval(() => {}, 1e3)
  const signal = untilStopped()
  stdout.write('ready\\n')
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
  stdout.write('asked\\n')
  if (verb !== 'slow') await new Promise(() => {})
  return 0
}`

function packageIn() {
  const root = temporaryFolder()
  mkdirSync(join(root, 'lib', 'cli'), { recursive: true })
  for (const name of ['bin.cjs', 'compile-later.cjs', 'end-with-npm.cjs', 'load-script.cjs'])
    cpSync(new URL(name, import.meta.url), join(root, 'lib', 'cli', name))
  writeFiles(root, { 'dist/cli/plimsoll.cjs': MAIN })
  return { root }
}

function started(...argv: string[]) {
  const { root } = packageIn()
  const child: ChildProcess = spawn(process.execPath, [join(root, 'lib', 'cli', 'bin.cjs'), ...argv], {
    env: { ...process.env, PLIMSOLL_CHILD: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return followed(child)
}

function followed(child: ChildProcess) {
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stdout?.on('data', (chunk) => {
    said += chunk
  })
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.on('close', (code, signal) => resolve(signal ?? code)),
  )
  const says = (text: string) => expect.poll(() => said, { timeout: 20_000 }).toContain(text)
  return { child, ended, says, said: () => said }
}

/** The same behind a shell, as npm starts it. */
function behindShell(event: string, ...argv: string[]) {
  const { root } = packageIn()
  return behindNpm(event, `'${join(root, 'lib', 'cli', 'bin.cjs')}' ${argv.join(' ')}`)
}

/** Node with these arguments, behind a shell as npm starts it. */
function behindNpm(event: string, words: string) {
  const child = spawn('sh', ['-c', `'${process.execPath}' ${words}; exit $?`, 'npm'], {
    env: { ...process.env, PLIMSOLL_CHILD: '', npm_lifecycle_event: event, npm_lifecycle_script: 'plimsoll' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return followed(child)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe.skipIf(process.platform === 'win32')('a signal ends the command line', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`${signal} before the verb asks until when it may run`, async () => {
      const { child, ended, says } = started('slow', '60000')
      await says('begun')
      child.kill(signal)
      expect(await ended).toBe(signal)
    })

    test(`${signal}: the first lets the verb end in good order`, async () => {
      const { child, ended, says, said } = started('slow')
      await says('ready')
      child.kill(signal)
      expect(await ended).toBe(0)
      expect(said()).toContain('asked')
    })

    test(`${signal}: a second one ends it at once, with its children`, async () => {
      const { child, ended, says, said } = started('parent')
      await says('ready')
      await says('child up')
      const pid = Number(/child (\d+)/.exec(said())?.[1])
      child.kill(signal)
      // As a terminal and npm may both send it: that is the same wish.
      child.kill(signal)
      await says('asked')
      await wait(1200)
      expect(child.exitCode).toBeNull()
      child.kill(signal)
      expect(await ended).toBe(signal === 'SIGINT' ? 130 : 143)
      await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false)
    })
  }

  for (const [event, ms] of [
    ['npx', '0'],
    ['npx', '60000'],
  ] as const)
    test(`the end of ${event}, which its shell does not pass on, after ${ms} ms`, async () => {
      const { child, says, said } = behindShell(event, 'slow', ms)
      await says(ms === '0' ? 'ready' : 'begun')
      const pid = Number(/begun (\d+)/.exec(said())?.[1])
      onTestFinished(() => {
        if (isAlive(pid)) process.kill(pid, 'SIGKILL')
      })
      child.kill('SIGTERM')
      await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false)
      expect(said().includes('asked')).toBe(ms === '0')
    })

  test.skipIf(process.platform !== 'linux')(
    'what its parent is called is read once; then its number is asked for',
    async () => {
      const watched = `
      const fs = require('node:fs')
      let reads = 0
      const read = fs.readFileSync
      fs.readFileSync = (...args) => ((reads += String(args[0]).startsWith('/proc/')), read(...args))
      globalThis.setInterval = (look) => {
        for (let i = 0; i < 5; i++) look()
        console.log('reads ' + reads)
        return { unref() {} }
      }
      require(process.argv[2]).endWithNpm()`
      const { root } = packageIn()
      const script = join(root, 'watched.cjs')
      writeFiles(root, { 'watched.cjs': watched })
      const file = join(root, 'lib', 'cli', 'end-with-npm.cjs')
      const { says, ended } = behindNpm('npx', `'${script}' '${file}'`)
      await says('reads 1\n')
      expect(await ended).toBe(0)
    },
  )

  test('outside of npm a shell that has ended leaves it alone', async () => {
    const { child, says, said } = behindShell('deploy', 'slow')
    await says('ready')
    const pid = Number(/begun (\d+)/.exec(said())?.[1])
    onTestFinished(() => {
      if (isAlive(pid)) process.kill(pid, 'SIGKILL')
    })
    child.kill('SIGTERM')
    await wait(1000)
    expect(isAlive(pid)).toBe(true)
  })
})
