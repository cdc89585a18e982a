import{A as r}from"./shared-35.js";import{C as e}from"./shared-18.js";var a={kind:"pick",name:"dealer",label:"transactions.dealer",options:async t=>(await e(r,{},t)).dealers?.nodes??[]};export{a};
