import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../testing/store-folder'
import { readSetupAnyway, untilOtherStores } from './lenient-setup'

describe('a settings file that cannot be read', () => {
  let folder = ''
  beforeEach(() => {
    folder = temporaryFolder()
  })

  const file = () => join(folder, 'plimsoll.yaml')
  const own = () => ({ HOME: folder, PLIMSOLL_CONFIG: file() })
  const setupOf = (env: Record<string, string> = {}) => {
    const read = readSetupAnyway({ ...own(), ...env }, folder)
    if (!read.ok) throw new Error(read.problems.join())
    return read
  }

  it('leaves defaults, says what is wrong, and opens no door', () => {
    writeFileSync(file(), 'stores: [~/a\nhost: 0.0.0.0\ntoken: short\n')
    const { setup, problems } = setupOf()
    expect(problems.join()).toContain(file())
    expect(setup).toMatchObject({ settings: { stores: [], workspaces: [] }, settingsFile: file() })
    expect(setup.environment).toMatchObject({ host: '127.0.0.1', token: null })
    const token = 'sixteen characters'
    const given = setupOf({ PLIMSOLL_HOST: '0.0.0.0', PLIMSOLL_TOKEN: token }).setup.environment
    expect(given).toMatchObject({ host: '0.0.0.0', token })
  })

  it('does not replace a wrong environment', () => {
    expect(readSetupAnyway({ HOME: folder, PLIMSOLL_TOKEN: 'short' }, folder)).toMatchObject({ ok: false })
  })

  it('ends the wait for other stores once it is mended and names some, not before', async () => {
    writeFileSync(file(), 'stores: [')
    const { setup } = setupOf()
    const stop = new AbortController()
    let ended = false
    const waiting = untilOtherStores(setup, own(), folder, stop.signal).then(() => {
      ended = true
    })
    writeFileSync(file(), 'stores: [~/b')
    await new Promise((resolve) => setTimeout(resolve, 1300))
    expect(ended).toBe(false)
    writeFileSync(file(), 'stores: [~/b]')
    await expect.poll(() => ended, { timeout: 15_000 }).toBe(true)
    stop.abort()
    await waiting
  })

  it('B7 ends the wait when prices change: costs that were read are of others then', async () => {
    writeFileSync(file(), 'prices: { m: { input: 1, output: 2 } }')
    const { setup } = setupOf()
    const stop = new AbortController()
    let ended = false
    const waiting = untilOtherStores(setup, own(), folder, stop.signal).then(() => {
      ended = true
    })
    writeFileSync(file(), 'prices: { m: { input: 1, output: 20 } }')
    await expect.poll(() => ended, { timeout: 15_000 }).toBe(true)
    stop.abort()
    await waiting
  })
})
