/** What a drawing looks like is decided by the style sheet; a file has none, so these are written into it. */
const KEPT_STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'stroke-linecap',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
] as const

/** The drawing as its own file: colours of the present theme written out, on the colour of the surface it is on. */
export function svgText(drawing: SVGSVGElement): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement
  const { width, height } = drawing.getBoundingClientRect()
  writeStyles(drawing, copy)
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('width', String(Math.round(width)))
  copy.setAttribute('height', String(Math.round(height)))
  if (!copy.hasAttribute('viewBox')) copy.setAttribute('viewBox', `0 0 ${width} ${height}`)
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect')
  ground.setAttribute('width', '100%')
  ground.setAttribute('height', '100%')
  ground.setAttribute('fill', surfaceBehind(drawing) ?? 'white')
  copy.prepend(ground)
  return new XMLSerializer().serializeToString(copy)
}

function writeStyles(from: Element, to: Element): void {
  const style = getComputedStyle(from)
  for (const name of KEPT_STYLES) {
    const value = style.getPropertyValue(name)
    if (value) to.setAttribute(name, value)
  }
  to.removeAttribute('class')
  to.removeAttribute('style')
  for (let index = 0; index < from.children.length; index += 1) {
    const child = from.children[index]
    const twin = to.children[index]
    if (child && twin) writeStyles(child, twin)
  }
}

function surfaceBehind(element: Element): string | null {
  for (let at: Element | null = element; at; at = at.parentElement) {
    const color = getComputedStyle(at).backgroundColor
    if (color && color !== 'rgba(0, 0, 0, 0)' && color !== 'transparent') return color
  }
  return null
}
