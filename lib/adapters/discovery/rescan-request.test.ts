import { expect, it, vi } from 'vitest'
import { temporaryFolder } from '../../testing/store-folder'
import { onRescanRequest, requestRescan } from './rescan-request'

it('wakes the process that reads the stores, until it stops listening', async () => {
  const home = temporaryFolder()
  const heard = vi.fn()
  const stop = onRescanRequest(home, heard)
  requestRescan(home, 1)
  await vi.waitFor(() => expect(heard).toHaveBeenCalled(), { timeout: 15_000 })
  // One note can be several events: wait until they are over.
  await new Promise((resolve) => setTimeout(resolve, 100))
  stop()
  heard.mockClear()
  requestRescan(home, 2)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(heard).not.toHaveBeenCalled()
})
