import { expect, test } from 'vitest'
import { workspaceRules } from './workspace-rules'

const STARTUP = '## Session Startup\n\nRead SOUL.md first.\n\n### Then\n\nRead USER.md.'
const LINES = '### Red Lines ###\n- Never moor at berth 9.'

test('D17: the sections that hold always, with what is under them, in their order', () => {
  const file = `# Agents\n\nHello.\n\n${STARTUP}\n\n## Tone\n\nBe brief.\n\n${LINES}\n\n## More\n\nx`
  expect(workspaceRules(file)).toBe(`${STARTUP}\n\n${LINES}`)
  expect(workspaceRules(file.replaceAll('\n', '\r\n'))).toBe(`${STARTUP}\n\n${LINES}`)
})

test('D17: the older headings count only where the others are not there', () => {
  const older = '## Every Session\nRead it all.\n\n## Safety\nAsk first.'
  expect(workspaceRules(older)).toBe(older)
  expect(workspaceRules(`${older}\n\n## RED LINES\nNone.`)).toBe('## RED LINES\nNone.')
})

test('D17: a heading in a code block, of another level, or none at all', () => {
  for (const text of ['```\n## Red Lines\nx\n```', '# Red Lines\nx', '#### Red Lines\nx', 'Red Lines', ''])
    expect(workspaceRules(text)).toBeNull()
})
