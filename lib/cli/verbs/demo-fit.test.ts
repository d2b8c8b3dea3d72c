import { join } from 'node:path'
import { expect, it } from 'vitest'
import { writeDemoFiles } from '../../adapters/files/demo-files'
import { runCli } from '../../testing/run-cli'
import { sharedFolder } from '../../testing/store-folder'

const folder = sharedFolder()
const env = { HOME: join(folder, 'home'), PLIMSOLL_HOME: join(folder, 'state') }

it('X9 the demo compacts where the runtimes that it claims do, and states which ones these are', async () => {
  const roots = await writeDemoFiles({ home: folder, now: Date.parse('2026-11-21T12:00:00Z') })
  for (const { path, kind } of roots) {
    const { code, stdout } = await runCli(['policy', 'show', '--json', '--store', path], { env })
    expect(code).toBe(0)
    const { runtimePolicy, fit } = JSON.parse(stdout)
    const [store] = fit.stores
    expect(store.recorded).toBeGreaterThan(0)
    expect(store).toMatchObject({
      compared: store.recorded,
      explained: store.recorded,
      windowAssumed: 0,
      share: 1,
      others: [],
    })
    if (kind === 'openclaw')
      expect(runtimePolicy).toMatchObject({ version: '2026.7.1', rules: '2026.7', name: 'OpenClaw 2026.7.1' })
  }
})
