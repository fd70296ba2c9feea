import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { type BrandImage, MAX_IMAGE_BYTES, parseImage } from './image.ts'
import { parseXml } from './xml/parse-xml.ts'

const NS = 'xmlns="http://www.w3.org/2000/svg"'
const svg = (inner: string, attributes = 'viewBox="0 0 120 40"') => `<svg ${NS} ${attributes}>${inner}</svg>`
const parse = (text: string) => parseImage(Buffer.from(text))

function taken(text: string): BrandImage {
  const image = parse(text)
  assert.ok(!('refusal' in image), `${JSON.stringify(image)} for ${text.slice(0, 300)}`)
  return image
}

function refused(text: string): string {
  const image = parse(text)
  assert.ok('refusal' in image, `taken: ${text.slice(0, 300)}`)
  return 'what' in image ? `${image.refusal} ${image.what}` : image.refusal
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

function png(
  width: number,
  height: number,
  { more = [], colour = 2, interlace = 0 }: { more?: Buffer[]; colour?: number; interlace?: number } = {},
): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, colour, 0, 0, interlace], 8)
  const pixels = deflateSync(Buffer.alloc(Math.min(height, 50) * (1 + Math.min(width, 50) * 3)))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), ...more, chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

describe('an SVG', () => {
  test('of shapes, gradients, clips and text is taken, with its proportions', () => {
    const drawn =
      '<defs><linearGradient id="g"><stop offset="0" stop-color="#fff"/></linearGradient><clipPath id="c"><rect width="9" height="9"/></clipPath></defs>' +
      '<g clip-path="url(#c)"><path d="M0 0h9v9z" fill="url(#g)" style="stroke:#123"/></g><text x="1" y="2">Olá &amp; tchau</text><use xlink:href="#c"/>'
    const { type, width, height, content } = taken(svg(drawn))
    assert.deepEqual([type, width, height], ['svg', 120, 40])
    const written = content.toString()
    for (const kept of ['url(#g)', 'url(#c)', 'Olá &amp; tchau', 'href="#c"', 'viewBox="0 0 120 40"'])
      assert.ok(written.includes(kept), kept)
    assert.deepEqual(taken(written).hash, taken(svg(drawn)).hash)
  })

  test('as drawing programs write it is taken, without what they note beside it', () => {
    const exported = `\ufeff<?xml version="1.0" encoding="utf-8"?>
<!-- Generator: Adobe Illustrator 29 -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg version="1.1" id="a" ${NS} xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:inkscape="urn:i" x="0px" y="0px" viewBox="0 0 80 20" xml:space="preserve">
<metadata><rdf:RDF>João, C:\\users\\joao</rdf:RDF></metadata><inkscape:grid enabled="true"/>
<style type="text/css"><![CDATA[ /* notes */ .st0{fill:#1A4FD6;} @media (prefers-color-scheme: dark){.st0{fill:#fff}} ]]></style>
<path inkscape:label="x" data-name="y" class="st0" d="M1,1z"/></svg>`
    const written = taken(exported).content.toString()
    assert.doesNotMatch(written, /joao|João|inkscape|data-name|Generator|DOCTYPE|notes|xlink/)
    assert.match(written, /\.st0\{fill:#1A4FD6;\}/)
    assert.match(written, /@media/)
  })

  test('that could act, fetch or lead away is refused by the name of what does', () => {
    for (const [inner, why] of [
      ['<script>alert(1)</script>', 'svg_element script'],
      ['<SCRIPT>alert(1)</SCRIPT>', 'svg_element SCRIPT'],
      ['<svg:script>alert(1)</svg:script>', 'svg_element svg:script'],
      ['<foreignObject><p/></foreignObject>', 'svg_element foreignObject'],
      ['<a href="#x"><path d="M0 0"/></a>', 'svg_element a'],
      ['<image href="#x"/>', 'svg_element image'],
      ['<animate attributeName="href" to="javascript:alert(1)"/>', 'svg_element animate'],
      ['<set attributeName="onclick" to="alert(1)"/>', 'svg_element set'],
      ['<feImage href="#x"/>', 'svg_element feImage'],
      ['<iframe/>', 'svg_element iframe'],
      ['<path d="M0 0" onload="alert(1)"/>', 'svg_handler onload'],
      ['<path d="M0 0" ONCLICK="alert(1)"/>', 'svg_handler ONCLICK'],
      ['<use href="https://evil.example/x.svg#a"/>', 'svg_address href'],
      ['<use xlink:href="data:image/svg+xml;base64,AAAA#a"/>', 'svg_address href'],
      ['<use href="javascript:alert(1)"/>', 'svg_address href'],
      ['<use href="//evil.example/#a"/>', 'svg_address href'],
      ['<path fill="url(https://evil.example/#a)"/>', 'svg_address fill'],
      ['<path fill="url(&quot;https://evil.example/#a&quot;)"/>', 'svg_address fill'],
      ['<path style="fill:url( //evil.example )"/>', 'svg_address style'],
      ['<path style="background:u\\72l(//evil.example)"/>', 'svg_style style'],
      ['<path style="background:u/**/rl(//evil.example)"/>', 'svg_style style'],
      ['<path style="fill:image-set(&apos;//evil.example&apos;)"/>', 'svg_style style'],
      ['<style>@import "//evil.example";</style>', 'svg_style style'],
      ['<style>@font-face{src:url(//evil.example)}</style>', 'svg_style style'],
      ['<style>*{background:url(//evil.example)}</style>', 'svg_address style'],
      ['<style>a{}&lt;/style&gt;&lt;script&gt;</style>', 'svg_style style'],
      ['<filter id="f"><feGaussianBlur stdDeviation="1"/></filter><path filter="url(//evil.example#f)"/>', 'svg_address filter'],
    ] as const)
      assert.equal(refused(svg(inner)), why, inner)
    assert.equal(refused(`<svg ${NS} viewBox="0 0 9 9" onload="alert(1)"/>`), 'svg_handler onload')
  })

  test('that another parser could read otherwise is refused', () => {
    for (const text of [
      `<!DOCTYPE svg [<!ENTITY x "<script>">]><svg ${NS} viewBox="0 0 1 1">&x;</svg>`,
      `<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg ${NS} viewBox="0 0 1 1">&a;</svg>`,
      `<?xml-stylesheet href="//evil.example"?><svg ${NS} viewBox="0 0 1 1"/>`,
      svg('<?php echo 1 ?>'),
      svg('&nbsp;'),
      svg('&#0;'),
      svg('&#xd800;'),
      svg('<g>'),
      svg('</g>'),
      svg('<g></path>'),
      svg('<path d=M0/>'),
      svg('<path d="a" d="b"/>'),
      svg('<path d="<script>"/>'),
      svg('<path / >'),
      svg('<g a="1"b="2"/>'),
      svg('<![CDATA[ <script>'),
      svg('<!-- '),
      `${svg('')}<script/>`,
      `${svg('')}x`,
      `<svg ${NS} viewBox="0 0 1 1"`,
      `<svg xmlns="http://www.w3.org/1999/xhtml" viewBox="0 0 1 1"/>`,
      svg('<g>'.repeat(60) + '</g>'.repeat(60)),
      svg('<g/>'.repeat(6_000)),
    ])
      assert.equal(refused(text), 'svg_damaged', text.slice(0, 80))
    for (const text of ['<html/>', 'GIF89a', '', 'x', '{}', `<!doctype html><svg ${NS}/>`]) assert.ok('refusal' in parse(text), text)
    assert.equal(refused(Buffer.from(svg(''), 'utf16le').toString('latin1')), 'not_an_image')
  })

  test('that draws without end is refused: a circle of references, and one that multiplies', () => {
    const doubling = Array.from({ length: 24 }, (_, at) => `<g id="g${at + 1}"><use href="#g${at}"/><use href="#g${at}"/></g>`).join('')
    assert.equal(refused(svg(`<defs><path id="g0" d="M0 0"/>${doubling}</defs><use href="#g24"/>`)), 'svg_too_much')
    assert.equal(refused(svg('<g id="a"><use href="#a"/></g>')), 'svg_too_much')
    assert.equal(refused(svg('<mask id="m"><path d="M0" mask="url(#m)"/></mask>')), 'svg_too_much')
    assert.equal(refused(svg('<style>*{mask:url(#m)}</style><mask id="m"><path d="M0"/></mask>')), 'svg_too_much')
    // Browsers draw the first of two elements with one id, and find an id with a blank by a reference in quotes.
    const decoys = Array.from({ length: 25 }, (_, at) => `<g id="g${at}"/>`).join('')
    assert.equal(refused(svg(`<defs><path id="g0" d="M0 0"/>${doubling}${decoys}</defs><use href="#g24"/>`)), 'svg_too_much')
    const masks = (id: string) =>
      svg(
        `<mask id="${id}0"><path d="M0 0"/></mask>${Array.from({ length: 24 }, (_, at) => `<mask id="${id}${at + 1}">${`<path d="M0" mask="url('#${id}${at}')"/>`.repeat(2)}</mask>`).join('')}`,
      )
    assert.equal(refused(masks('m')), 'svg_too_much')
    assert.doesNotMatch(taken(masks(' m')).content.toString(), /id=/)
    assert.ok(taken(svg('<defs><path id="p" d="M0 0"/></defs><use href="#p"/><use href="#p"/><use href="#gone"/>')))
    assert.ok(taken(svg('<style>.a{fill:url(#g)}</style><linearGradient id="g" href="#h"/><linearGradient id="h"/>')))
  })

  test('has its styles without comments, and keeps nothing of one that never ends', () => {
    assert.match(taken(svg('<style>a{fill:/* x */red}/**/b{}</style>')).content.toString(), /<style>a\{fill: red\} b\{\}<\/style>/)
    assert.equal(refused(svg('<style>a{} /* x</style>')), 'svg_style style')
    assert.equal(refused(svg('<style>@im/* */port "x"</style>')), 'svg_style style')
  })

  test('needs a size', () => {
    assert.equal(refused(svg('', '')), 'svg_size')
    for (const box of ['0 0 0 9', '0 0 9', '0 0 a b', '0 0 -1 9', '0 0 1e9 1', '0 0 Infinity 1'])
      assert.equal(refused(svg('', `viewBox="${box}"`)), 'svg_size')
    assert.deepEqual([taken(svg('', 'width="30px" height="10"')).width, taken(svg('', 'width="30" height="10"')).height], [30, 10])
  })

  test('comes out with what is on the lists alone, whatever it is made of', () => {
    const names = fc.constantFrom('g', 'path', 'script', 'use', 'style', 'foreignObject', 'x:y', 'a', 'text')
    const keys = fc.constantFrom('id', 'href', 'onload', 'fill', 'style', 'xlink:href', 'd', 'data-x')
    const values = fc.constantFrom(
      '#a',
      'javascript:alert(1)',
      'url(#a)',
      'url(//evil.example)',
      '1',
      '&lt;script&gt;',
      'a&quot; onload=&quot;b',
    )
    const element = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        fc.constant('text'),
        fc
          .tuple(
            names,
            fc.uniqueArray(fc.tuple(keys, values), { selector: ([key]) => key, maxLength: 3 }),
            fc.array(tie('node'), { maxLength: 3 }),
          )
          .map(
            ([name, attributes, children]) =>
              `<${name}${attributes.map(([key, value]) => ` ${key}="${value}"`).join('')}>${children.join('')}</${name}>`,
          ),
      ),
    })).node
    fc.assert(
      fc.property(element, (inner) => {
        const image = parse(svg(inner))
        if ('refusal' in image) return
        const written = image.content.toString()
        assert.doesNotMatch(written, /<(script|foreignObject|a)\b|\son\w+="|javascript:|evil\.example/i)
        assert.ok(parseXml(written), written)
      }),
      { numRuns: 2_000 },
    )
  })

  test('is read in a time that grows with its length: none of these takes long', () => {
    for (const text of [
      '<svg '.repeat(30_000),
      `<svg ${' '.repeat(190_000)}`,
      svg('&'.repeat(150_000)),
      svg(`<style>${'/*'.repeat(90_000)}</style>`),
      // A comment that never ends, and begins again and again.
      svg(`<style>${'/*a'.repeat(66_000)}</style>`),
      svg(`<style>${'/**a'.repeat(50_000)}</style>`),
      svg(`<style>${'/* */'.repeat(40_000)}</style>`),
      svg(`<path style="${'url('.repeat(45_000)}"/>`),
      svg('<!---->'.repeat(25_000)),
      `<svg ${'a '.repeat(90_000)}`,
    ]) {
      const from = performance.now()
      assert.ok(parse(text))
      // It takes some milliseconds. With the square of the length it would be minutes, and the whole service would stand still.
      assert.ok(performance.now() - from < 5_000, text.slice(0, 100))
    }
  })
})

describe('a PNG', () => {
  test('is taken with the size of its header, and without what is noted beside the picture', () => {
    const note = chunk('tEXt', Buffer.from('Author\0João da Silva'))
    const image = parseImage(
      Buffer.concat([
        png(400, 100, { more: [note, chunk('eXIf', Buffer.from('GPS')), chunk('acTL', Buffer.alloc(8))] }),
        Buffer.from('<script>'),
      ]),
    )
    assert.ok(!('refusal' in image))
    assert.deepEqual([image.type, image.width, image.height], ['png', 400, 100])
    assert.deepEqual(image.content, png(400, 100))
  })

  test('of too many pixels, of none, or damaged is refused', () => {
    const whole = png(40, 40)
    const broken = Buffer.from(whole)
    broken[40] = (broken[40] ?? 0) ^ 1
    for (const [bytes, why] of [
      [png(2_001, 10), 'png_size'],
      [png(10, 2_001), 'png_size'],
      [png(0, 10), 'png_size'],
      [png(0xffffffff, 0xffffffff), 'png_size'],
      [png(10, 10, { colour: 7 }), 'png_damaged'],
      [png(10, 10, { colour: 3 }), 'png_damaged'],
      [png(10, 10, { interlace: 2 }), 'png_damaged'],
      [whole.subarray(0, -12), 'png_damaged'],
      [whole.subarray(0, 20), 'png_damaged'],
      [broken, 'png_damaged'],
      [Buffer.concat([whole.subarray(0, 8), chunk('IDAT', Buffer.alloc(3)), chunk('IEND', Buffer.alloc(0))]), 'png_damaged'],
      [Buffer.alloc(MAX_IMAGE_BYTES + 1, 0x20), 'image_too_large'],
      [Buffer.alloc(0), 'image_empty'],
      [Buffer.from('GIF89a'), 'not_an_image'],
      [Buffer.from([0xff, 0xd8, 0xff]), 'not_an_image'],
    ] as const) {
      const image = parseImage(bytes)
      assert.equal('refusal' in image && image.refusal, why)
    }
  })
})
