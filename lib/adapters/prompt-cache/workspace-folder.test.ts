import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chmod, mkdir, rename, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { BOOTSTRAP_FILES } from '../../core/policy/knobs/bootstrap'
import { temporaryFolder } from '../../testing/store-folder'
import { localDays } from './local-days'
import { openWorkspaceFolder, type WorkspaceFolderOptions } from './workspace-folder'

const NOON = Date.UTC(2026, 10, 21, 12)

describe('workspace folder', () => {
  let outside = ''
  let folder = ''
  const open = (over: Partial<WorkspaceFolderOptions> = {}) =>
    openWorkspaceFolder({ folder, names: BOOTSTRAP_FILES, ...over })
  const read = async (name: string, over: Partial<WorkspaceFolderOptions> = {}) => {
    const { files, daily } = await open(over).read(NOON)
    return [...files, ...daily].find((file) => file.name === name)
  }
  const file = (...parts: string[]) => join(folder, ...parts)

  beforeEach(async () => {
    outside = temporaryFolder()
    folder = join(outside, 'workspace')
    await mkdir(folder)
  })

  it('O1 reads the files of the policy in its order, to the byte, missing ones too', async () => {
    await writeFile(file('SOUL.md'), '\uFEFFBe brief.\r\n')
    const { files } = await open().read(NOON)
    expect(files.map(({ name }) => name)).toEqual([...BOOTSTRAP_FILES])
    expect(files[1]).toEqual({ name: 'SOUL.md', path: file('SOUL.md'), text: '\uFEFFBe brief.\r\n' })
    expect(files[0]).toEqual({ name: 'AGENTS.md', path: file('AGENTS.md'), text: null })
  })

  it('O1 takes memory.md where there is no MEMORY.md', async () => {
    await writeFile(file('memory.md'), 'small')
    expect(await read('MEMORY.md')).toEqual({ name: 'MEMORY.md', path: file('memory.md'), text: 'small' })
    await writeFile(file('MEMORY.md'), 'large')
    expect(await read('MEMORY.md')).toMatchObject({ path: file('MEMORY.md'), text: 'large' })
  })

  it('P5 reads the notes of today and yesterday, as far as there are any', async () => {
    await mkdir(file('memory'))
    for (const day of ['2026-11-19', '2026-11-20', '2026-11-21'])
      await writeFile(file('memory', `${day}.md`), day)
    const { daily } = await open().read(NOON)
    expect(daily.map(({ name, text }) => [name, text])).toEqual([
      ['memory/2026-11-21.md', '2026-11-21'],
      ['memory/2026-11-20.md', '2026-11-20'],
    ])
    expect((await open().read(NOON + 86_400_000)).daily.map(({ text }) => text)).toEqual(['2026-11-21'])
    expect((await open().look(NOON)).days).not.toBe((await open().look(NOON + 86_400_000)).days)
  })

  it('P5 days go by the calendar', () => {
    expect(localDays(Date.UTC(2026, 0, 1))).toEqual(['2026-01-01', '2025-12-31'])
    expect(localDays(Date.UTC(2028, 2, 1, 23, 59))).toEqual(['2028-03-01', '2028-02-29'])
    // The day before this one had 23 hours.
    vi.stubEnv('TZ', 'Europe/Berlin')
    expect(localDays(Date.UTC(2026, 2, 29, 22, 30))).toEqual(['2026-03-30', '2026-03-29'])
    vi.unstubAllEnvs()
  })

  it('P3 the listing of notes changes with each of them, old ones too', async () => {
    await mkdir(file('memory'))
    const listing = async () => (await open().read(NOON)).memory
    const seen = new Set([await listing()])
    await writeFile(file('memory', '2020-01-01.md'), 'old')
    seen.add(await listing())
    await writeFile(file('memory', '2020-01-01.md'), 'old, edited')
    seen.add(await listing())
    await rename(file('memory', '2020-01-01.md'), file('memory', 'renamed.md'))
    seen.add(await listing())
    expect(seen.size).toBe(4)
    await unlink(file('memory', 'renamed.md'))
    expect(seen).toContain(await listing())
  })

  it('P2 stamps change with the content, and a look tells which file', async () => {
    await writeFile(file('AGENTS.md'), 'one')
    const first = await open().look(NOON)
    expect(await open().look(NOON)).toEqual(first)
    await writeFile(file('AGENTS.md'), 'two')
    const second = await open().look(NOON)
    expect(second.folder).toBe(first.folder)
    const [was] = first.files.split('\n')
    const [is] = second.files.split('\n')
    expect(is).toMatch(/^AGENTS\.md\t/)
    expect(is).not.toBe(was)
    expect(second.files.split('\n').slice(1)).toEqual(first.files.split('\n').slice(1))
  })

  it('P5 stamps follow links: of a file, and of a folder that a link is turned to', async () => {
    await mkdir(file('v1'))
    await mkdir(file('v2'))
    await writeFile(file('v1', 'AGENTS.md'), 'one')
    await writeFile(file('v2', 'AGENTS.md'), 'two')
    await symlink('v1', file('current'))
    await symlink(join('current', 'AGENTS.md'), file('AGENTS.md'))
    const first = await open().look(NOON)
    expect((await read('AGENTS.md'))?.text).toBe('one')
    await unlink(file('current'))
    await symlink('v2', file('current'))
    expect((await open().look(NOON)).files).not.toBe(first.files)
    expect((await read('AGENTS.md'))?.text).toBe('two')
  })

  it('does not follow a link out of the workspace unless set to', async () => {
    await writeFile(join(outside, 'key'), 'secret')
    await symlink(join(outside, 'key'), file('AGENTS.md'))
    await mkdir(join(outside, 'workspace-2'))
    await writeFile(join(outside, 'workspace-2', 'key'), 'secret')
    await symlink(join(outside, 'workspace-2', 'key'), file('SOUL.md'))
    for (const name of ['AGENTS.md', 'SOUL.md', '../key']) {
      const refused = await read(name, { names: [name] })
      expect(refused).toMatchObject({ text: null, problem: expect.stringContaining('out of the workspace') })
    }
    expect((await read('AGENTS.md', { allowOutside: true }))?.text).toBe('secret')
    // The workspace itself may be a link.
    await symlink(folder, join(outside, 'link'))
    await writeFile(file('USER.md'), 'pilot')
    expect((await read('USER.md', { folder: join(outside, 'link') }))?.text).toBe('pilot')
  })

  it('says what cannot be read and why, and never waits', async () => {
    await mkdir(file('AGENTS.md'))
    await symlink('SOUL.md', file('SOUL.md'))
    await writeFile(file('TOOLS.md'), Buffer.alloc(2 * 1024 * 1024 + 1, 'x'))
    await writeFile(file('USER.md', ''), 'x')
    if (process.platform !== 'win32') execFileSync('mkfifo', [file('IDENTITY.md')])
    const { files } = await open({
      names: ['AGENTS.md', 'SOUL.md', 'TOOLS.md', 'IDENTITY.md', 'USER.md/x'],
    }).read(NOON)
    expect(files.map(({ problem }) => problem)).toEqual([
      'it is a folder, not a file',
      'its symbolic links lead in a circle',
      'it has 2097153 bytes; more than 2097152 are not read',
      process.platform === 'win32' ? undefined : 'it is a named pipe, not a file',
      'a part of its path is no folder',
    ])
  })

  it.skipIf(!existsSync('/proc/self/fd'))(
    'P1 leaves no file open (skipped: the system does not list them)',
    async () => {
      for (const name of BOOTSTRAP_FILES) await writeFile(file(name), 'x')
      await mkdir(file('OTHER.md'))
      const workspace = open({ names: [...BOOTSTRAP_FILES, 'OTHER.md'] })
      const before = readdirSync('/proc/self/fd').length
      for (let i = 0; i < 20; i++) await workspace.read(NOON)
      expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(before + 1)
    },
  )

  it.skipIf(process.getuid?.() === 0)(
    'says that it may not read (skipped: root may read everything)',
    async () => {
      await writeFile(file('AGENTS.md'), 'x')
      await chmod(file('AGENTS.md'), 0o000)
      expect(await read('AGENTS.md')).toMatchObject({ text: null, problem: 'no permission to read it' })
    },
  )

  it('O5 a workspace that is not there is one of missing files', async () => {
    const { files, daily, memory } = await open({ folder: file('nothing') }).read(NOON)
    expect(files.every(({ text, problem }) => text === null && problem === undefined)).toBe(true)
    expect([daily, memory]).toEqual([[], ''])
    expect((await open({ folder: file('nothing') }).look(NOON)).folder).toBe('ENOENT')
  })
})
