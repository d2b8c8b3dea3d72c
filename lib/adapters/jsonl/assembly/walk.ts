// AssemblyScript. The estimator of `core/tokens/estimate.ts` over bytes: the same tables, so the same sums.
import { CLASSES, TABLE } from '../text-machine-layout'
import { byteAt } from './bytes'

/** Bytes that are walked as four quarters, and how far before its quarter a later walk begins: those of `estimateUnits`. */
const STRETCH = 1 << 18
const MEMORY = 24

/** Up to so many bytes are walked in one piece, as `estimateUnits` does. */
const SHORT = 96

/** The estimator's cell for a state and the byte at an address: weight above, next state below. */
function cellAt(state: i32, address: i32): i32 {
  return load<i32>(state + (load<u8>(byteAt(address), CLASSES) as i32), TABLE)
}

function weightOf(cell: i32): i32 {
  return cell >>> 16
}

function nextState(cell: i32): i32 {
  return cell & 0xffff
}

/** The state at a place, as far as the bytes right before it tell, from `from` at the earliest. */
function stateBefore(from: i32, place: i32): i32 {
  let state = 0
  for (let at = max(from, place - MEMORY); at < place; at++) state = nextState(cellAt(state, at))
  return state
}

/**
 * The sum of the weights of the bytes between two addresses. Four quarters are walked at once: each step waits for the one
 * before it, so four walks take little longer than one.
 */
export function walk(from: i32, to: i32): i32 {
  let sum = 0
  let a = 0
  if (to - from <= SHORT) {
    for (let at = from; at < to; at++) {
      const cell = cellAt(a, at)
      sum += weightOf(cell)
      a = nextState(cell)
    }
    return sum
  }
  while (from < to) {
    const end = min(from + STRETCH, to)
    const quarter = (end - from) >> 2
    const second = from + quarter
    const third = second + quarter
    const fourth = third + quarter
    let b = stateBefore(from, second)
    let c = stateBefore(from, third)
    let d = stateBefore(from, fourth)
    for (let at = from; at < second; at++) {
      const cellA = cellAt(a, at)
      const cellB = cellAt(b, at + quarter)
      const cellC = cellAt(c, at + 2 * quarter)
      const cellD = cellAt(d, at + 3 * quarter)
      sum += weightOf(cellA) + weightOf(cellB) + weightOf(cellC) + weightOf(cellD)
      a = nextState(cellA)
      b = nextState(cellB)
      c = nextState(cellC)
      d = nextState(cellD)
    }
    a = d
    for (let at = fourth + quarter; at < end; at++) {
      const cell = cellAt(a, at)
      sum += weightOf(cell)
      a = nextState(cell)
    }
    from = end
  }
  return sum
}
