import type { CheckLine, RepairCheck } from './check'

/** Looks for damage in a transcript, line by line in file order, and plans its repair. */
export interface LineCheck {
  add(line: CheckLine): void
  /**
   * Takes a line whose `text` is without its long texts. False, and nothing is taken, when the whole line is needed.
   */
  addSkeleton(line: CheckLine): boolean
  finish(): RepairCheck
}
