import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { version } from '../../package.json'
import { runCli } from '../testing/run-cli'
import { temporaryFolder } from '../testing/store-folder'

describe('the command line', () => {
  it('says its version and its verbs', async () => {
    expect(await runCli(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
    const help = await runCli(['--help'])
    expect(help.code).toBe(0)
    for (const verb of ['serve', 'ingest', 'stores', 'sessions', 'status', 'context', 'doctor']) {
      expect(help.stdout).toMatch(new RegExp(`^  ${verb}\\b`, 'm'))
    }
  })

  it.each([
    [['nonsense']],
    [['sessions', '--nonsense']],
    [['context']],
    [['context', 'x', '--call', '0']],
    [['context', 'x', '--call', '1.5']],
    [['serve', '--port', '70000']],
  ])('calls %j wrong use', async (argv) => {
    const { code, stdout, stderr } = await runCli(argv)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).not.toBe('')
  })

  it('tells a program about wrong use in its one document', async () => {
    const { code, stdout } = await runCli(['sessions', '--nonsense', '--json'])
    expect(code).toBe(2)
    expect(JSON.parse(stdout)).toEqual({
      error: { code: 'usage', message: expect.stringContaining("unknown option '--nonsense'") },
    })
  })

  it.each([[['serve']], [[]]])(
    'refuses to serve beyond this machine without a token, as %j (X20)',
    async (verb) => {
      const env = { PLIMSOLL_HOME: temporaryFolder() }
      const { code, stderr } = await runCli([...verb, '--host', '0.0.0.0'], { env })
      expect(code).toBe(3)
      expect(stderr).toContain('PLIMSOLL_TOKEN')
    },
  )

  it('serves where no verb is named, and takes a word that is none for a mistake', async () => {
    const config = join(temporaryFolder(), 'plimsoll.yaml')
    writeFileSync(config, 'stores: []\n')
    const env = { PLIMSOLL_HOME: temporaryFolder() }
    for (const argv of [[], ['--config', config], ['--port', '0']])
      expect(await runCli(argv, { env, root: temporaryFolder() }), argv.join(' ')).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('not built yet'),
      })
    const { code, stderr } = await runCli(['stauts'], { env })
    expect(code).toBe(2)
    expect(stderr).toContain('Did you mean status?')
  })

  it('names a bad variable and what it may be', async () => {
    const { code, stderr } = await runCli(['sessions'], { env: { PLIMSOLL_PORT: 'harbour' } })
    expect(code).toBe(2)
    expect(stderr).toContain('PLIMSOLL_PORT')
  })

  it('reads nothing while the settings file is broken, and says where it is', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'plimsoll.yaml')
    writeFileSync(file, 'stores: [~/a\nworkspaces: []\n')
    const { code, stdout, stderr } = await runCli(['sessions'], { env: { PLIMSOLL_CONFIG: file } })
    expect(code).toBe(4)
    expect(stdout).toBe('')
    expect(stderr).toContain(file)
    expect(stderr).toMatch(/line \d/)
  })

  it('answers with one document even when it fails', async () => {
    const { code, stdout, stderr } = await runCli(['stores', '--json', '--store', '/nowhere/at/all'], {
      env: { PLIMSOLL_HOME: temporaryFolder() },
    })
    expect(code).toBe(4)
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'unreadable', message: expect.stringContaining('/nowhere') },
    })
    expect(stderr).toContain('/nowhere')
  })
})
