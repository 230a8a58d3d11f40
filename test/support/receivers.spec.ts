import axios from 'axios';
import { createTransport } from 'nodemailer';
import { HttpReceiver, SmtpReceiver } from './receivers.js';

describe('HttpReceiver', () => {
  let receiver: HttpReceiver;
  beforeAll(async () => {
    receiver = await HttpReceiver.start((_request, index) => ({ status: index === 0 ? 503 : 204 }));
  });
  afterAll(() => receiver.close());

  const post = () => axios.post(`${receiver.url}/hook?a=1`, { n: 1 }, { validateStatus: null, timeout: 500 });

  it('records requests and answers as configured', async () => {
    expect([(await post()).status, (await post()).status]).toEqual([503, 204]);
    const [first] = await receiver.received(2);
    expect(first).toMatchObject({ method: 'POST', url: '/hook?a=1', body: '{"n":1}' });
  });

  it('hangs and resets', async () => {
    receiver.answerWith({ fault: 'hang' });
    await expect(post()).rejects.toMatchObject({ code: 'ECONNABORTED' });
    receiver.answerWith({ fault: 'reset' });
    await expect(post()).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});

describe('SmtpReceiver', () => {
  it('records messages, and refuses them when configured', async () => {
    const receiver = await SmtpReceiver.start();
    const transport = createTransport(receiver.url);
    const send = () =>
      transport.sendMail({ from: 'a@example.com', to: 'b@example.com', subject: 'Found', text: 'x' });
    await send();
    const [mail] = await receiver.received(1);
    expect(mail).toMatchObject({ from: 'a@example.com', to: ['b@example.com'] });
    expect(mail?.raw).toContain('Subject: Found');
    receiver.refusal = { code: 550, text: 'no such user' };
    await expect(send()).rejects.toMatchObject({ responseCode: 550 });
    transport.close();
    await receiver.close();
  });
});
