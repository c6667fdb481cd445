// A self-signed certificate for one host name, made at test time: no key lies in the repository.
import { generateKeyPairSync, sign } from 'node:crypto';

export interface TestCertificate {
  readonly key: string;
  readonly cert: string;
}

/** Valid for `dnsName` and 127.0.0.1 from a day ago until `notAfter`. X.509 v3 in DER, ECDSA with SHA-256. */
export function selfSigned(dnsName: string, notAfter: Date): TestCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(objectId('06082a8648ce3d040302'));
  const name = sequence(tagged(0x31, sequence(objectId('0603550403'), tagged(0x0c, Buffer.from(dnsName)))));
  const altNames = sequence(tagged(0x82, Buffer.from(dnsName)), tagged(0x87, Buffer.from([127, 0, 0, 1])));
  const extensions = sequence(sequence(objectId('0603551d11'), tagged(0x04, altNames)));
  const body = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.from([1])),
    algorithm,
    name,
    sequence(time(new Date(Math.min(Date.now(), notAfter.getTime()) - 86_400_000)), time(notAfter)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, extensions),
  );
  const signature = sign('sha256', body, privateKey);
  const certificate = sequence(body, algorithm, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = certificate.toString('base64').replace(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts));
const objectId = (hex: string): Buffer => Buffer.from(hex, 'hex');
const time = (date: Date): Buffer => tagged(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]|\.\d+/g, '')}`));
