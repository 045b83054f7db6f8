//! The messages of an ONNX file, as far as Kibitz reads or writes them. Field numbers are ONNX's; other fields are skipped.

use bytes::Bytes;
use prost::Message;

/// [`Tensor::data_type`]: IEEE single precision.
pub const FLOAT: i32 = 1;
/// 32-bit integers.
pub const INT32: i32 = 6;
/// 64-bit integers.
pub const INT64: i32 = 7;
/// IEEE half precision.
pub const FLOAT16: i32 = 10;
/// The upper half of a single.
pub const BFLOAT16: i32 = 16;

/// A whole file. It is read field by field (see [`Arriving`](super::Arriving)); this is for who has one in hand.
#[derive(Clone, PartialEq, Message)]
pub struct Model {
    /// The version of the file's form; every writer puts it first.
    #[prost(int64, optional, tag = "1")]
    pub version: Option<i64>,
    /// What is computed.
    #[prost(message, optional, tag = "7")]
    pub graph: Option<Graph>,
    /// Which operations it is made of.
    #[prost(message, repeated, tag = "8")]
    pub operations: Vec<Operations>,
}

/// A set of operations.
#[derive(Clone, PartialEq, Message)]
pub struct Operations {
    /// The set's version.
    #[prost(int64, optional, tag = "2")]
    pub version: Option<i64>,
}

/// Nodes, joined by the names of what they give and take.
#[derive(Clone, PartialEq, Message)]
pub struct Graph {
    /// What is computed.
    #[prost(message, repeated, tag = "1")]
    pub nodes: Vec<Node>,
    /// Its name.
    #[prost(string, optional, tag = "2")]
    pub name: Option<String>,
    /// Constants by name.
    #[prost(message, repeated, tag = "5")]
    pub constants: Vec<Tensor>,
    /// What is read; files may list the constants here too.
    #[prost(message, repeated, tag = "11")]
    pub inputs: Vec<Value>,
    /// What is given.
    #[prost(message, repeated, tag = "12")]
    pub outputs: Vec<Value>,
}

/// One operation.
#[derive(Clone, PartialEq, Message)]
pub struct Node {
    /// Names of what it takes.
    #[prost(string, repeated, tag = "1")]
    pub inputs: Vec<String>,
    /// Names of what it gives.
    #[prost(string, repeated, tag = "2")]
    pub outputs: Vec<String>,
    /// Its kind.
    #[prost(string, optional, tag = "4")]
    pub op: Option<String>,
    /// Its settings.
    #[prost(message, repeated, tag = "5")]
    pub attributes: Vec<Attribute>,
}

/// A setting of a node.
#[derive(Clone, PartialEq, Message)]
pub struct Attribute {
    /// Name of the setting.
    #[prost(string, optional, tag = "1")]
    pub name: Option<String>,
    /// One number.
    #[prost(float, optional, tag = "2")]
    pub float: Option<f32>,
    /// One integer.
    #[prost(int64, optional, tag = "3")]
    pub int: Option<i64>,
    /// A text.
    #[prost(bytes = "bytes", optional, tag = "4")]
    pub text: Option<Bytes>,
    /// Several integers.
    #[prost(int64, repeated, tag = "8")]
    pub ints: Vec<i64>,
    /// Which of these it has: 1 = one number, 2 = one integer, 3 = a text, 7 = several integers.
    #[prost(int32, optional, tag = "20")]
    pub kind: Option<i32>,
}

/// A constant.
#[derive(Clone, PartialEq, Message)]
pub struct Tensor {
    /// Its axes, outermost first.
    #[prost(int64, repeated, tag = "1")]
    pub shape: Vec<i64>,
    /// What its numbers are.
    #[prost(int32, optional, tag = "2")]
    pub data_type: Option<i32>,
    /// Its numbers, where they are not raw.
    #[prost(float, repeated, tag = "4")]
    pub floats: Vec<f32>,
    /// Its name.
    #[prost(string, optional, tag = "8")]
    pub name: Option<String>,
    /// Its numbers, little endian.
    #[prost(bytes = "bytes", optional, tag = "9")]
    pub raw: Option<Bytes>,
}

impl Tensor {
    /// How many bytes of the file its numbers are.
    pub(super) fn bytes_of_numbers(&self) -> usize {
        size_of_val(self.floats.as_slice()) + self.raw.as_ref().map_or(0, Bytes::len)
    }
}

/// An input or output.
#[derive(Clone, PartialEq, Message)]
pub struct Value {
    /// Its name.
    #[prost(string, optional, tag = "1")]
    pub name: Option<String>,
    /// What it is.
    #[prost(message, optional, tag = "2")]
    pub kind: Option<Type>,
}

/// What an input or output is.
#[derive(Clone, PartialEq, Message)]
pub struct Type {
    /// A tensor.
    #[prost(message, optional, tag = "1")]
    pub tensor: Option<TensorType>,
}

/// A tensor without its numbers.
#[derive(Clone, PartialEq, Message)]
pub struct TensorType {
    /// What its numbers are, as [`Tensor::data_type`].
    #[prost(int32, optional, tag = "1")]
    pub data_type: Option<i32>,
    /// Its axes.
    #[prost(message, optional, tag = "2")]
    pub shape: Option<Shape>,
}

/// Axes, outermost first.
#[derive(Clone, PartialEq, Message)]
pub struct Shape {
    /// The sizes of the dimensions, the first dimension first.
    #[prost(message, repeated, tag = "1")]
    pub axes: Vec<Axis>,
}

/// One axis.
#[derive(Clone, Copy, PartialEq, Eq, Message)]
pub struct Axis {
    /// Its size, where it is fixed.
    #[prost(int64, optional, tag = "1")]
    pub size: Option<i64>,
}
