import { expect, it } from 'vitest'
import { toolMatcher } from './tool-patterns'

it.each<[readonly string[], string, boolean]>([
  [[], 'bash', false],
  [['', '  '], 'bash', false],
  [['', '  '], '', false],
  [['bash'], 'bash', true],
  [['bash'], 'bashful', false],
  // Letters' case and blanks around do not matter, on either side.
  [[' BASH '], ' Bash\t', true],
  [['*todo*'], 'TodoWrite', true],
  [['memory_*', 'skill'], 'memory_search', true],
  [['memory_*', 'skill'], 'skill', true],
  [['memory_*', 'skill'], 'skills', false],
])('tools of %j: %j is one of them: %s', (patterns, tool, matches) => {
  const test = toolMatcher(patterns)
  // A name that was asked for before is answered alike.
  expect([test(tool), test('another'), test(tool)]).toEqual([matches, false, matches])
})
