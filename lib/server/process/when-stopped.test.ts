import { expect, it, vi } from 'vitest'
import { oncePerProcess } from './process-memory'
import { whenStopped } from './when-stopped'

/** Where `oncePerProcess` keeps its things. */
const MEMORY = Symbol.for('plimsoll.process-memory')

it.each(['SIGINT', 'SIGTERM'])('%s ends what is open, and not what was over before', (signal) => {
  oncePerProcess('something', () => null)
  ;(globalThis as { [MEMORY]?: Map<string, unknown> })[MEMORY]?.delete('work when stopped')
  const heard = new Map<string | symbol, () => void>()
  vi.spyOn(process, 'once').mockImplementation((event, listener) => {
    heard.set(event, listener as () => void)
    return process
  })
  const [open, over] = [vi.fn(), vi.fn()]
  whenStopped(open)
  whenStopped(over)()
  heard.get(signal)?.()
  expect(open).toHaveBeenCalledOnce()
  expect(over).not.toHaveBeenCalled()
})
