// Types of Bottleneck's light build: the package declares only its main build, with the same types.
declare module 'bottleneck/light.js' {
  import Bottleneck from 'bottleneck';
  export default Bottleneck;
}
