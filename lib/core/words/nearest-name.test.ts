import { expect, test } from 'vitest'
import { nearestName } from './nearest-name'

const NAMES = ['window', 'model', 'policy', 'workspace', 'onWarning', 'cold']

test('a misspelt name is known by the nearest one, whatever its case and separators', () => {
  expect(nearestName('windw', NAMES)).toBe('window')
  expect(nearestName('Modle', NAMES)).toBe('model')
  expect(nearestName('on_warning', NAMES)).toBe('onWarning')
  expect(nearestName('work-spaces', NAMES)).toBe('workspace')
})

test('a name that is like none is no misspelling of any', () => {
  expect(nearestName('temperature', NAMES)).toBeNull()
  expect(nearestName('x', NAMES)).toBeNull()
  expect(nearestName('', NAMES)).toBeNull()
})
