import { hierarchy, treemap, treemapSquarify } from 'd3-hierarchy'
import type { Category } from '../../core/tokens/category'
import type { Tokens } from '../../core/units/units'

/** What a rectangle of the treemap represents. `seq` leads to an entry of the transcript. */
export type TreemapItem = {
  /** All of it, for hovering. */
  readonly label: string
  /** A word or two, for the tile itself. */
  readonly short: string
  readonly tokens: Tokens
  readonly seq?: number | null
  /** This many smaller ones together. */
  readonly merged?: number
}

export type TreemapGroup = { readonly category: Category; readonly items: readonly TreemapItem[] }

/** A rectangle in pixels. */
export type Tile = TreemapItem & {
  readonly category: Category
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

type Node = { category?: Category; item?: TreemapItem; children?: Node[] }

/**
 * Squarified treemap, categories kept together in stacking order. Areas are in proportion to tokens; what holds
 * nothing gets no tile.
 */
export function treemapTiles(
  groups: readonly TreemapGroup[],
  size: { readonly width: number; readonly height: number },
): Tile[] {
  const root: Node = {
    children: groups.map(({ category, items }) => ({
      category,
      children: items.filter((item) => item.tokens > 0).map((item) => ({ category, item })),
    })),
  }
  const sized = hierarchy(root, (node) => node.children).sum((node) => node.item?.tokens ?? 0)
  const laid = treemap<Node>()
    .tile(treemapSquarify.ratio(1.4))
    .size([size.width, size.height])
    .paddingInner(1)
    .round(true)(sized)
  return laid.leaves().flatMap(({ data, x0, y0, x1, y1 }) => {
    if (!data.item || !data.category || x1 <= x0 || y1 <= y0) return []
    return [{ ...data.item, category: data.category, x: x0, y: y0, width: x1 - x0, height: y1 - y0 }]
  })
}
