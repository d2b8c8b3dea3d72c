'use client'

import { CategoryPatterns } from '@/components/charts/category-patterns'
import { SilentPicture } from '@/components/charts/picture'
import type { Category } from '@/lib/core/tokens/category'
import { patternId } from '@/lib/view/charts/category'
import { type Tile, type TreemapGroup, treemapTiles } from '@/lib/view/charts/treemap'
import { formatCount, formatShort } from '@/lib/view/text/format'
import { useSize } from './use-size'

const HEIGHT = 220

/**
 * What holds the window, by area: categories kept together, each entry a tile. A pressed tile opens its entry, or
 * filters by its category when it represents several. For the pointer only: table and list say and do the same by
 * keyboard.
 */
export function Treemap({
  groups,
  id,
  selected,
  onOpen,
  onSelect,
}: {
  groups: readonly TreemapGroup[]
  /** Prefix of the pattern ids: unique on the page. */
  id: string
  selected: Category | null
  onOpen: (seq: number) => void
  onSelect: (category: Category) => void
}) {
  const [area, size] = useSize<HTMLDivElement>()
  const tiles = size === null ? [] : treemapTiles(groups, { width: size.width, height: HEIGHT })
  return (
    <div ref={area} className="min-w-0" style={{ height: HEIGHT }}>
      {size !== null && (
        <SilentPicture width={size.width} height={HEIGHT} className="isolate block select-none">
          <CategoryPatterns prefix={id} />
          {tiles.map((tile) => (
            <TileShape
              key={`${tile.category} ${tile.seq ?? tile.label}`}
              tile={tile}
              id={id}
              faded={selected !== null && selected !== tile.category}
              onPress={() => (tile.seq == null ? onSelect(tile.category) : onOpen(tile.seq))}
            />
          ))}
        </SilentPicture>
      )}
    </div>
  )
}

function TileShape({
  tile,
  id,
  faded,
  onPress,
}: {
  tile: Tile
  id: string
  faded: boolean
  onPress: () => void
}) {
  const words = wordsOf(tile)
  return (
    <g opacity={faded ? 0.25 : 1} onPointerUp={onPress} className="cursor-pointer">
      <title>{`${tile.label}: ${formatCount(tile.tokens)} tokens`}</title>
      <rect
        x={tile.x}
        y={tile.y}
        width={tile.width}
        height={tile.height}
        fill={`url(#${patternId(id, tile.category)})`}
        data-category={tile.category}
      />
      {words && (
        <>
          <rect x={tile.x + 3} y={tile.y + 3} width={words.width} height={16} rx="3" fill="var(--surface)" />
          <text x={tile.x + 7} y={tile.y + 15} fontSize="12" fill="var(--text)">
            {words.text}
          </text>
        </>
      )}
    </g>
  )
}

const CHAR_WIDTH = 6.7

/** The words that fit on a tile: name and tokens, the tokens alone, or nothing. */
function wordsOf(tile: Tile): { readonly text: string; readonly width: number } | null {
  if (tile.height < 24) return null
  const tokens = formatShort(tile.tokens)
  for (const text of [`${tile.short} ${tokens}`, tokens]) {
    const width = text.length * CHAR_WIDTH + 8
    if (width <= tile.width - 6) return { text, width }
  }
  return null
}
