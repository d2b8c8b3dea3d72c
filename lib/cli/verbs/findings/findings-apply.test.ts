import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeFiles } from '../../../testing/store-folder'
import { LOOP_SETTINGS, loopingStore } from '../../../testing/stores/looping-store'

const world = loopingStore()
const { settings, idOf } = world
const run = (...argv: string[]) => world.run('findings', ...argv, '--store', join(world.folder, 'openclaw'))
const everything = () => readdirSync(world.folder, { recursive: true }).map(String).sort()

describe('plimsoll findings apply (X11, X17)', () => {
  it('shows the change of the runtime’s own file, and writes nothing with --dry-run', async () => {
    const id = await idOf('compaction-frees-nothing')
    const before = everything()
    const { code, stdout } = await run('apply', id, '--dry-run')
    expect(code).toBe(0)
    expect(stdout).toContain('keepRecentTokens: 24000')
    expect(stdout).toContain('keepRecentTokens: 12000')
    expect(stdout).toContain('Nothing was written.')
    expect(settings()).toBe(LOOP_SETTINGS)
    expect(everything()).toEqual(before)
  })

  it('writes it with a receipt, and undo gives the bytes back', async () => {
    const id = await idOf('compaction-frees-nothing')
    const { code, stdout } = await run('apply', id, '--json')
    expect(code).toBe(0)
    const done = JSON.parse(stdout)
    expect(done).toMatchObject({
      key: 'agents.defaults.compaction.keepRecentTokens',
      from: 24_000,
      to: 12_000,
      changed: true,
      dryRun: false,
    })
    expect(settings()).toBe(LOOP_SETTINGS.replace('24000', '12000'))
    const audit = await world.run('audit', '--json')
    expect(audit.stdout).toContain(done.receipt)
    expect((await world.run('undo', done.receipt)).code).toBe(0)
    expect(settings()).toBe(LOOP_SETTINGS)
  })

  it('offers nothing whose effect in the runtime’s version is not known', async () => {
    const id = await idOf('compaction-frees-nothing')
    writeFiles(world.folder, { 'openclaw/openclaw.json': LOOP_SETTINGS.replace('2026.7.1', '2027.3.1') })
    const { code, stdout } = await run('apply', id)
    expect(code).toBe(1)
    expect(stdout).toContain('is not known')
    expect(stdout).toContain('Run: plimsoll prune loop')
  })

  it('refuses wrong use', async () => {
    expect((await run('apply')).code).toBe(2)
    expect((await run('apply', 'nothing.123')).code).toBe(2)
    expect((await run('loop', 'more')).code).toBe(2)
  })
})
