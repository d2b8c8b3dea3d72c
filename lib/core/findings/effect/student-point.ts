/** The point that a Student's t of so many degrees of freedom is below with this chance, from one half to one. */
export function studentPoint(chance: number, freedom: number): number {
  let high = 1
  while (below(high, freedom) < chance && high < 1e6) high *= 2
  let low = 0
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2
    if (below(middle, freedom) < chance) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** The chance that a Student's t is below a point that is not negative. */
function below(point: number, freedom: number): number {
  return 1 - betaShare(freedom / (freedom + point * point), freedom / 2, 0.5) / 2
}

/** The regularised incomplete beta function, by its continued fraction (Lentz; DLMF 8.17.22). */
function betaShare(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  if (x > (a + 1) / (a + b + 2)) return 1 - betaShare(1 - x, b, a)
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x))
  const tiny = 1e-300
  let [c, d] = [1, 1 - ((a + b) * x) / (a + 1)]
  d = 1 / (Math.abs(d) < tiny ? tiny : d)
  let sum = d
  for (let m = 1; m <= 300; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    for (const term of [even, odd]) {
      d = 1 + term * d
      d = 1 / (Math.abs(d) < tiny ? tiny : d)
      c = 1 + term / c
      if (Math.abs(c) < tiny) c = tiny
      sum *= c * d
    }
    if (Math.abs(c * d - 1) < 1e-12) break
  }
  return (front * sum) / a
}

/** Lanczos' approximation, with g = 7 and 9 terms. */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
]

function logGamma(z: number): number {
  if (z < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * z)) - logGamma(1 - z)
  const x = z - 1
  const t = x + 7.5
  const sum = LANCZOS.reduce((all, term, i) => (i === 0 ? term : all + term / (x + i)), 0)
  return 0.5 * Math.log(2 * Math.PI) + (x + 0.5) * Math.log(t) - t + Math.log(sum)
}
