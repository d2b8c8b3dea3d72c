import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { askToLookAgain, onLookAgain } from './nudge'

it('wakes the process that reads the stores, until it stops listening', async () => {
  const home = mkdtempSync(join(tmpdir(), 'plimsoll-nudge-'))
  const heard = vi.fn()
  const stop = onLookAgain(home, heard)
  askToLookAgain(home, 1)
  await vi.waitFor(() => expect(heard).toHaveBeenCalled())
  // One note can be several events: wait until they are over.
  await new Promise((resolve) => setTimeout(resolve, 100))
  stop()
  heard.mockClear()
  askToLookAgain(home, 2)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(heard).not.toHaveBeenCalled()
  rmSync(home, { recursive: true })
})
