import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { forDistinctWords, normalWordsOf, readForms } from './normal-words'
import { digitsOf, digitsOfPair } from './number-words'
import { stemOf } from './stem'

describe('H4: words in their normal form', () => {
  test.each([
    ['caresses', 'caress'],
    ['ponies', 'poni'],
    ['agreed', 'agre'],
    ['plastered', 'plaster'],
    ['motoring', 'motor'],
    ['sing', 'sing'],
    ['conflated', 'conflat'],
    ['hopping', 'hop'],
    ['falling', 'fall'],
    ['filing', 'file'],
    ['happy', 'happi'],
    ['sky', 'sky'],
    ['relational', 'relat'],
    ['rational', 'ration'],
    ['digitizer', 'digit'],
    ['vietnamization', 'vietnam'],
    ['sensibiliti', 'sensibl'],
    ['electrical', 'electr'],
    ['goodness', 'good'],
    ['replacement', 'replac'],
    ['adoption', 'adopt'],
    ['communism', 'commun'],
    ['rate', 'rate'],
    ['cease', 'ceas'],
    ['controll', 'control'],
    ['is', 'is'],
    ['grün', 'grün'],
  ])('%s is %s, as Porter has it', (word, stem) => {
    expect(stemOf(word)).toBe(stem)
  })

  test.each([
    ['Cranes', 'crane'],
    ['CONFIGURED', 'configuring'],
    ['colours', 'color'],
    ['initialised', 'initialize'],
    ['greys', 'gray'],
    ['crâne', 'crane'],
    ['seven', '7'],
    ['seventh', '7'],
    ['forty-three', '43'],
    ['1,000', '1000'],
    ['7kNm', '7 kNm'],
    ['HTTPServer', 'http_server'],
    ['drag-and-drop', 'DragAndDrop'],
  ])('%s is the same as %s', (one, other) => {
    expect(normalWordsOf(one)).toEqual(normalWordsOf(other))
  })

  test('names come whole, then in parts; figures with points whole, versions also by their first', () => {
    expect(normalWordsOf('getFooterView')).toEqual(['getfooterview', 'get', 'footer', 'view'])
    expect(normalWordsOf('src/tui/footer.ts')).toEqual(['src', 'tui', 'footer', 'ts'])
    expect(normalWordsOf('parseXML2Doc')).toEqual(['parsexml2doc', 'pars', 'xml', '2', 'doc'])
    expect(normalWordsOf('react 19.1.0, pi 3.14, 1,2 and 12,345.5')).toEqual([
      ...['react', '19.1.0', '19', 'pi', '3.14', '1', '2', 'and', '12345.5'],
    ])
    expect(normalWordsOf('a \u0301 \u0301\u0302 b')).toEqual(['a', 'b'])
    expect(normalWordsOf('v2 kNm')).toEqual(['v2', 'knm'])
    expect(normalWordsOf('a1b2c3d4e5f6')).toEqual(['a1b2c3d4e5f6'])
  })

  test('two words that make one number are found as that number', () => {
    expect(normalWordsOf('forty three')).toEqual(['40', '43'])
    expect(normalWordsOf('SEVENTY One')).toEqual(['70', '71'])
    expect(normalWordsOf(`forty ${'x'.repeat(65)} three`)).toEqual(['40', '43'])
    expect(normalWordsOf(`forty ${'x'.repeat(64)} three`)).toEqual(['40', 'x'.repeat(64), '3'])
    expect(digitsOfPair('forty', 'three')).toBe('43')
    expect([
      digitsOfPair('forty', 'eleven'),
      digitsOfPair('three', 'four'),
      digitsOfPair('forty', 'zero'),
      digitsOfPair('forty', 'ten'),
    ]).toEqual([null, null, null, null])
    expect(['zero', 'twelve', 'ninety', 'tenth', 'one', 'first', 'crane'].map(digitsOf)).toEqual([
      ...['0', '12', '90', '10', null, null, null],
    ])
  })

  test('without spaces two neighbouring characters are a word, however long the run', () => {
    expect(normalWordsOf('潮汐表')).toEqual(['潮汐', '潮', '汐', '汐表', '汐', '表'])
    expect(normalWordsOf('版本v2')).toEqual(['版本', '版', '本', 'v2'])
    expect(normalWordsOf('潮'.repeat(65))).toHaveLength(64 * 3)
    expect(normalWordsOf(`${'x'.repeat(64)}潮`)).toEqual([])
  })

  test('words of one text are the same whatever was read before, and a text may be cut between words', () => {
    const word = fc.constantFrom(
      'Crane',
      'forty',
      'three',
      'kNm7',
      '7kNm',
      'footerView',
      '潮汐',
      'résumé',
      '1,000',
    )
    fc.assert(
      fc.property(fc.array(word), fc.array(word), (one, other) => {
        const first = normalWordsOf(one.join(' '))
        normalWordsOf(other.join(' '))
        expect(normalWordsOf(one.join(' '))).toEqual(first)
        expect(normalWordsOf(`${one.join(' ')}. \n ${other.join(' ')}`)).toHaveLength(
          normalWordsOf(one.join(' ')).length + normalWordsOf(other.join(' ')).length,
        )
      }),
      { numRuns: 50 },
    )
  })

  test.each([
    ['letters', 'a'],
    ['names', 'aB'],
    ['underscores', 'a_'],
    ['hyphens', 'a-'],
    ['figures', '1,'],
    ['versions', '1.'],
    ['accents', 'e\u0301'],
    ['endings', 'ingized'],
    ['signs', '-_'],
    ['Chinese', '潮'],
    ['broken pairs', '\ud800'],
  ])('a line of a million characters of %s without a space takes no longer than others', (_, piece) => {
    const line = piece.repeat(1_000_000 / piece.length)
    const start = process.cpuUsage()
    const words = normalWordsOf(line)
    const { user, system } = process.cpuUsage(start)
    expect(words.length).toBeLessThan(700_000)
    expect((user + system) / 1000).toBeLessThan(3_000)
  })

  test('of a very long text both ends are read', () => {
    expect(normalWordsOf(`alpha ${' '.repeat(400_000)} omega`)).toEqual(['alpha', 'omega'])
    expect(normalWordsOf(`${' '.repeat(150_000)}beta${' '.repeat(150_000)}`)).toEqual([])
    expect(normalWordsOf(`${' '.repeat(99_998)}beta${' '.repeat(99_998)}`)).toEqual(['beta'])
  })
})

describe('H4: the words of a run, nothing remembered', () => {
  /** Words, each with its parts in brackets. */
  const formsIn = (run: string) =>
    readForms(run)
      .map(({ whole, parts }) => (parts.length === 0 ? whole : `${whole}[${parts}]`))
      .join(' ')

  test.each([
    ['plain words', 'Cranes CRANES crane Seventh', 'crane crane crane 7'],
    [
      'words without spaces',
      '潮汐表 版本v2 がぎ が VERSION版',
      '潮汐[潮,汐] 汐表[汐,表] 版本[版,本] v2 かき[か,き] か version 版',
    ],
    ['numbers', '1,000 12,345.5 1,2 1234,567 1,000,5 1,0000', '1000 12345.5 1 2 1234 567 1 000 5 1 0000'],
    ['versions', '15.5.2 3.14 15.5 123.45.6 ٣.5.2.1', '15.5.2[15] 3.14 15.5 123.45.6[123] ٣.5.2.1'],
    ['measures', '7kNm 412KM 7kNmx 12Lines', '7 knm 412 km 7 knmx 12lines[12,line]'],
    ['short names', 'aBc v2 Abcd aBcd', 'abc v2 abcd abcd'],
    [
      'names',
      'aBcde mcDock XML2 HTTPServer http_server',
      'abcd[a,bcde] mcdock[mc,dock] xml2 httpserver[http,server] httpserver[http,server]',
    ],
    ['numbers of two words', 'forty-three fortyThree forty-twelve', '43 43 fortytwelv[40,12]'],
    ['numbers of more', 'forty-three-two three-forty', 'fortythreetwo[40,3,2] threeforti[3,40]'],
    ['eight parts', 'aa-bb-cc-dd-ee-ff-gg-hh', 'aabbccddeeffgghh[aa,bb,cc,dd,ee,ff,gg,hh]'],
    ['nine parts', 'aa-bb-cc-dd-ee-ff-gg-hh-ii', 'aabbccddeeffgghhii'],
    ['accents of units', '12é 7Åm', '12 e 7 am'],
    ['accents', 'crâne éa ÉCOLE ÉcoleView', 'crane ea ecol ecoleview[ecol,view]'],
    ['grey', 'grey greys greyhound agrey', 'grai grai greyhound agrei'],
    [
      'our at the end',
      'colour colours coloured colouring colourful colourable',
      'color color color color color color',
    ],
    ['our elsewhere', 'hour colourless courser our', 'hour colourless courser our'],
    [
      'our before what is no ending',
      'coloursx colouredx colouringx colourfulx colourablex',
      'coloursx colouredx colouringx colourfulx colourablex',
    ],
    ['ise', 'aaatise aaatises aaatised aaatiser aaatisers', 'aaatiz aaatiz aaatiz aaatiz aaatiz'],
    ['ising', 'aaatising aaatisation aaatisations', 'aaatiz aaatiz aaatiz'],
    ['ise of short words', 'rise wise raise', 'rise wise rais'],
    [
      'is before what is no ending',
      'aaatisesx aaatiserx aaatisersx aaatisationx aaatisationsx',
      'aaatisesx aaatiserx aaatisersx aaatisationx aaatisationsx',
    ],
    ['tre', 'centre centres metre tre centrefold', 'center center meter tre centrefold'],
    ['tred', 'centred centered hatred centredom', 'center center hatr centredom'],
    [
      'no ending',
      'greystone metrestick apprisement advisedly promisingly',
      'greyston metrestick appris advisedli promisingli',
    ],
  ])('%s', (_what, runs, forms) => {
    expect(runs.split(' ').map(formsIn).join(' ')).toBe(forms)
  })

  test('accents without a letter are no word', () => {
    expect([readForms('\u0301'), readForms('\u0301\u0302')]).toEqual([[], []])
  })
})

describe('words of which each run is taken once', () => {
  const distinct = (text: string) => {
    const words: string[] = []
    forDistinctWords(text, ({ whole, parts }) => {
      words.push(whole, ...parts)
    })
    return [...new Set(words)]
  }
  const all = (text: string) => [...new Set(normalWordsOf(text))]

  test.each([
    'The cranes of berth 7 lift; the crane of berth 7 lifts.',
    'footerView HTTPServer aB abCD snake_case well-known x2 7kNm',
    '1,000 1,000.5 15.5.2 1.2.3a 1.23a a1.2 12a.5 _a a- -b 3_4',
    'forty three, Forty-three, sixty and four; mighty',
    'über naïve 漢字かな ไทย İstanbul',
    'a\u0080b c\u007fd',
    '... --',
    '',
  ])('are those of the whole text: %s', (text) => expect(distinct(text)).toEqual(all(text)))

  test('each run is visited once, in a text of up to 200,000 characters', () => {
    const visits = (text: string) => {
      let count = 0
      forDistinctWords(text, () => {
        count += 1
      })
      return count
    }
    expect([visits('crane pier crane'), visits('crane '.repeat(33_333).padEnd(200_000))]).toEqual([2, 1])
  })

  test('of a very long text those of both ends', () => {
    expect(distinct(`alpha ${' '.repeat(150_000)}beta${' '.repeat(150_000)} omega`)).toEqual([
      'alpha',
      'omega',
    ])
  })

  test('whatever is in it', () => {
    const part = fc.constantFrom(
      ...[
        'crane',
        'Crane',
        'CRANE',
        'aB',
        'é',
        '漢',
        '1',
        '23',
        '.',
        ',',
        '_',
        '-',
        ' ',
        ' ',
        'forty',
        'three',
      ],
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        expect(distinct(parts.join(''))).toEqual(all(parts.join('')))
      }),
    )
  })
})
