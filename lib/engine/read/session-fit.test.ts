import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { discoverStores } from '../../adapters/discovery/discover'
import { runtimeVersion } from '../../adapters/stores/runtime-version'
import { createStoreReader } from '../../adapters/stores/store-reader'
import { runtimeStore } from '../../compose/stores/runtime-stores'
import { joinFits, type PolicyFit } from '../../core/compaction/policy-fit'
import { CORPUS } from '../../testing/corpus'
import { inspectSession } from './inspect-session'
import { fitOfSession } from './session-fit'

const reader = createStoreReader({ lastLine: 'take-whole' })

async function fitsBelow(root: string): Promise<PolicyFit> {
  const { stores } = await discoverStores({ env: {}, home: root, only: [root] })
  const fits: PolicyFit[] = []
  for (const store of stores) {
    const runtime = runtimeStore([], store, await runtimeVersion(store), { stores: [] })
    for await (const transcript of reader.list(store)) {
      if (transcript.state !== 'live') continue
      fits.push(fitOfSession(await inspectSession(reader, store, transcript), runtime))
    }
  }
  return joinFits(fits)
}

describe.runIf(CORPUS !== null)('X9 the fit over real stores', () => {
  const folder = (name: string) => join(CORPUS ?? '', name)

  it('2026.7.1: what the runtime noted as overflows is not held against its line', async () => {
    const fit = await fitsBelow(folder('openclaw-2026.7.1'))
    expect(fit).toMatchObject({ recorded: 2, compared: 0, reasons: { overflow: 2 } })
  })

  it('2026.9.6: so it is with those that came along when the files were imported', async () => {
    const fit = await fitsBelow(folder('openclaw-2026.9.6'))
    expect(fit).toMatchObject({ recorded: 2, compared: 0, reasons: { overflow: 2 }, share: null })
  })
})
