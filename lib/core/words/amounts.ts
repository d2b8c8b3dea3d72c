import type { Figure } from '../tokens/figure'
import type { Milliseconds } from '../units/units'

// Amounts in sentences that are made where figures are judged. Thousands are parted by a narrow no-break space.
const THIN = '\u202f'

/** `142310` → `142 310`. Rounds to a whole number. */
export function groupedDigits(value: number): string {
  const digits = String(Math.abs(Math.round(value))).replace(/\B(?=(\d{3})+$)/g, THIN)
  return Math.round(value) < 0 ? `−${digits}` : digits
}

/** `1 call`, `12 calls`. */
export function counted(count: number, noun: string, many = `${noun}s`): string {
  return `${groupedDigits(count)} ${count === 1 ? noun : many}`
}

/** `12 300 tokens`, `about 12 300 tokens`. An unknown figure is said to be one. */
export function tokensInWords(figure: Figure): string {
  if (figure.value === null) return 'an unknown number of tokens'
  const about = figure.basis === 'estimated' ? 'about ' : ''
  return `${about}${counted(Math.round(figure.value), 'token')}`
}

/** ` That is about $1.20.`, or nothing where no price is known. */
export function priceInWords(figure: Figure): string {
  if (figure.value === null || figure.value < 0.005) return ''
  const about = figure.basis === 'estimated' ? 'about ' : ''
  return ` That is ${about}$${figure.value.toFixed(2)}.`
}

/** `27 %`. @param share from 0 to 1 */
export function percentInWords(share: number): string {
  return `${Math.round(share * 100)}${THIN}%`
}

/** `31 s`, `12 min`, `5 h`, `3 d`. */
export function spanInWords(ms: Milliseconds): string {
  const steps = [
    [86_400_000, 'd'],
    [3_600_000, 'h'],
    [60_000, 'min'],
  ] as const
  for (const [size, unit] of steps) if (ms >= 2 * size) return `${Math.round(ms / size)}${THIN}${unit}`
  return `${Math.round(ms / 1000)}${THIN}s`
}
