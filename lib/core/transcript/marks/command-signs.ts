/** What a command line has in it that decides what it does. Bits. */
export const [CHANGES, PIPE, QUOTE, ODD_SPACE] = [1, 2, 4, 8]

/** By code of a character: its bits; those of `$` and `-` hang on what is behind them. */
const SIGNS = new Uint8Array(128)
for (const sign of '>;&\n`') SIGNS[sign.charCodeAt(0)] = CHANGES
for (const sign of '"\'') SIGNS[sign.charCodeAt(0)] = QUOTE
for (const space of '\t\v\f\r') SIGNS[space.charCodeAt(0)] = ODD_SPACE
SIGNS['|'.charCodeAt(0)] = PIPE
const [SPACE, DOLLAR, BRACKET] = [32, 36, 40]

/** Words that a command which changes something has where no sign shows it. */
const CHANGING = /\bxargs\b|\btee\b|-exec\b|-delete\b/

/**
 * What is in a command line: whether it may change something, pipes, quotes, and white space that is more than single
 * spaces between words. One walk over it takes less than a pattern for each.
 */
export function commandSigns(command: string): number {
  let signs = 0
  let before = 0
  for (let i = 0; i < command.length; i++) {
    const code = command.charCodeAt(i)
    // Of a larger alphabet some are spaces.
    if (code > 127) signs |= ODD_SPACE
    else if (code === SPACE) signs |= before === SPACE ? ODD_SPACE : 0
    else if (code === BRACKET) signs |= before === DOLLAR ? CHANGES : 0
    else signs |= SIGNS[code] as number
    before = code
  }
  return (signs & CHANGES) === 0 && hasChangingWord(command) ? signs | CHANGES : signs
}

function hasChangingWord(command: string): boolean {
  const mayHave =
    command.includes('xargs') ||
    command.includes('tee') ||
    command.includes('-exec') ||
    command.includes('-delete')
  return mayHave && CHANGING.test(command)
}
