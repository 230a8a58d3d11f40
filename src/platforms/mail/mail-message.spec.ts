import { mailAuthor, readMail } from './mail-message.js';

const ENVELOPE = 'From ann@a.example Sun Jan 14 10:00:00 2024';
const read = (raw: string | Buffer, envelope = ENVELOPE) => readMail({ envelope, raw: Buffer.from(raw) });
const mail = (headers: readonly string[], body: string): string =>
  `${['To: talk@a.example', 'Subject: a', ...headers].join('\n')}\n\n${body}`;
const DATE = 'Date: Fri, 12 Jan 2024 10:00:00 +0200';
const at = (time: number | null | undefined): string | null => (time ? new Date(time).toISOString() : null);

describe('readMail', () => {
  it('reads the fields of a message', async () => {
    const headers = [
      'From: Ann Doe <ann@a.example>',
      DATE,
      'Message-ID: <1@a.example>',
      'In-Reply-To: <p@a.example>',
      'References: <root@a.example>\n\t<p@a.example>',
      'List-Id: Talk <talk.a.example>',
    ];
    const subject = 'Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=\n an alle';
    expect(await read([subject, ...headers, '', 'Hello\n\n-- \nAnn\n'].join('\n'))).toEqual({
      id: '1@a.example',
      parents: ['p@a.example', 'root@a.example'],
      subject: 'Grüße an alle',
      author: 'Ann Doe',
      time: Date.UTC(2024, 0, 12, 8),
      text: 'Hello\n\n-- \nAnn',
      list: 'talk.a.example',
    });
  });

  it.each([
    ['quoted-printable', 'utf-8', 'caf=C3=A9 =\n(cafe)', 'café (cafe)'],
    ['base64', 'utf-8', Buffer.from('日本語').toString('base64'), '日本語'],
    ['quoted-printable', 'iso-8859-1', 'caf=E9', 'café'],
    ['quoted-printable', 'koi8-r', '=F4=C5=D3=D4', 'Тест'],
    ['base64', 'gb18030', Buffer.from([0xd6, 0xd0]).toString('base64'), '中'],
  ])('decodes a text in %s and %s', async (encoding, charset, body, text) => {
    const headers = [
      `Content-Type: text/plain; charset=${charset}`,
      `Content-Transfer-Encoding: ${encoding}`,
    ];
    expect((await read(mail(headers, body)))?.text).toBe(text);
  });

  it.each([
    ['UTF-8', Buffer.from('Grüße'), 'Grüße'],
    ['windows-1252', Buffer.from('Gr\xfc\xdfe', 'latin1'), 'Grüße'],
    ['ISO-2022-JP', Buffer.from('\u001b$BF|\u001b(B', 'latin1'), '日'],
  ])('reads a text that names no encoding in %s', async (_, body, text) => {
    const message = await read(Buffer.concat([Buffer.from('Subject: a\n\n'), body]));
    expect(message?.text).toBe(text);
  });

  it('joins the lines of a flowing text', async () => {
    const headers = ['Content-Type: text/plain; charset=utf-8; format=flowed'];
    expect((await read(mail(headers, 'one \ntwo\nthree\n')))?.text).toBe('one two\nthree');
  });

  it('takes the plain text before the HTML, and leaves files out', async () => {
    const part = (type: string, body: string, more = ''): string =>
      `--b\nContent-Type: ${type}\n${more}\n${body}\n`;
    const both = part('text/plain', 'plain') + part('text/html', '<p>rich</p>');
    const file = part('text/plain', 'file', 'Content-Disposition: attachment; filename=a.txt\n');
    const inAlternative = mail(['Content-Type: multipart/alternative; boundary=b'], `${both}--b--\n`);
    const withFile = mail(
      ['Content-Type: multipart/mixed; boundary=b'],
      `${part('text/plain', 'text')}${file}--b--\n`,
    );
    expect((await read(inAlternative))?.text).toBe('plain');
    expect((await read(withFile))?.text).toBe('text');
  });

  it('reads the text of HTML where there is no other', async () => {
    const html = '<style>p {}</style><p>One &amp; two</p><blockquote>old</blockquote>';
    expect((await read(mail(['Content-Type: text/html'], html)))?.text).toBe('One & two\n\n> old');
  });

  it.each([
    ['its date', [DATE], ENVELOPE, '2024-01-12T08:00:00.000Z'],
    ['its envelope without a date', [], ENVELOPE, '2024-01-14T10:00:00.000Z'],
    [
      'its envelope, when the date is in its future',
      ['Date: Fri, 12 Jan 2034 10:00:00 +0000'],
      ENVELOPE,
      '2024-01-14T10:00:00.000Z',
    ],
    [
      'its envelope, when the date is too old',
      ['Date: Thu, 1 Jan 1970 00:00:00 +0000'],
      ENVELOPE,
      '2024-01-14T10:00:00.000Z',
    ],
    [
      'its last hop, where the envelope has no time',
      [
        'Date: never',
        'Received: from a by b; Sat, 13 Jan 2024 09:00:00 +0000',
        'Received: from c by a; Sat, 13 Jan 2024 08:00:00 +0000',
      ],
      'From mboxrd@z Thu Jan  1 00:00:00 1970',
      '2024-01-13T09:00:00.000Z',
    ],
    ['nothing', ['Date: never'], 'From mboxrd@z Thu Jan  1 00:00:00 1970', null],
  ])('is dated by %s', async (_, headers, envelope, time) => {
    const message = await read(mail(headers, 'text'), envelope);
    expect(at(message?.time)).toBe(time);
  });

  it('names a message without an id by its content', async () => {
    const [one, same, other] = await Promise.all(
      ['a', 'a', 'b'].map((name) => read(mail([`From: ${name}`], 'text'))),
    );
    expect(one!.id).toMatch(/^no-id-[\da-f]{32}$/);
    expect([same!.id, other!.id].map((id) => id === one!.id)).toEqual([true, false]);
  });

  it.each(['', 'text without a header\n'])('reads no message in "%s"', async (raw) => {
    expect(await read(raw)).toBeNull();
  });
});

describe('mailAuthor', () => {
  it.each([
    ['Ann Doe <ann@a.example>', 'Ann Doe'],
    ['"Doe, Ann \\"A\\"" <ann@a.example>', 'Doe, Ann "A"'],
    ['=?iso-8859-1?Q?J=F6rg?= <j@a.example>', 'Jörg'],
    ['ann@a.example (Ann Doe)', 'Ann Doe'],
    ['ann at a.example (Ann Doe)', 'Ann Doe'],
    ['ann at a.example (=?utf-8?q?J=C3=B6rg?=)', 'Jörg'],
    ['ann at a.example', 'ann'],
    ['ann@a.example', 'ann'],
    ['<ann@a.example>', 'ann'],
    ['"ann@a.example" <ann@a.example>', 'ann'],
    ['ann@a.example via Talk <talk@a.example>', 'ann via Talk'],
    ['', '[deleted]'],
  ])('shows of %s no address', (from, author) => {
    expect(mailAuthor(from)).toBe(author);
  });
});
