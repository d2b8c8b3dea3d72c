import type { Tokens } from '../units/units'
/** Tokens of a digest that are still free, and what was taken of them. */
export class Budget {
  private left: number

  constructor(
    tokens: Tokens,
    private readonly sizeOf: (text: string) => number,
  ) {
    this.left = tokens
  }

  get free(): number {
    return this.left
  }

  /** Takes lines whatever they cost. */
  spend(lines: readonly string[]): void {
    for (const line of lines) this.left -= this.cost(line)
  }

  /** Takes lines in order while they fit into `share` and into what is free; one that does not fit is passed over. */
  take(share: number, lines: Iterable<string>): string[] {
    const taken: string[] = []
    let room = Math.min(share, this.left)
    let misses = 0
    for (const line of lines) {
      const cost = this.cost(line)
      if (cost > room) {
        misses += 1
        if (misses > MOST_MISSES) break
        continue
      }
      room -= cost
      this.left -= cost
      taken.push(line)
    }
    return taken
  }

  /** Whether a piece of a line fits; takes it if so. */
  takePiece(tokens: Tokens): boolean {
    if (tokens > this.left) return false
    this.left -= tokens
    return true
  }

  private cost(line: string): number {
    // The line end is its own token.
    return this.sizeOf(line) + 1
  }
}

/** Lines that do not fit are passed over for shorter ones behind them, but not for ever. */
const MOST_MISSES = 20
